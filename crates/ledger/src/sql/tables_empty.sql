DELETE FROM facts;
DELETE FROM access;
DELETE FROM revisions;
DELETE FROM truths;
DELETE FROM conflicts;
DELETE FROM reviews;
DELETE FROM erasures;
