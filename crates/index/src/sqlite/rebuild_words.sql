INSERT INTO words (words) VALUES ('rebuild')
