SELECT source, revision, digest, rules, conversation, sequence, message, speaker
FROM entries WHERE tenant = $1 AND fact = $2 ORDER BY source
