INSERT INTO words (words) VALUES ('integrity-check')
