//! English words that say little by themselves.

/// In order, for a binary search. Contractions stand as they are folded, without their apostrophe.
const STOP_WORDS: [&str; 151] = [
    "a", "about", "above", "after", "again", "against", "aint", "all", "also", "am", "an", "and", "any",
    "are", "arent", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both",
    "but", "by", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does", "doesnt",
    "doing", "dont", "down", "during", "each", "few", "for", "from", "further", "had", "hadnt", "has",
    "hasnt", "have", "havent", "having", "he", "her", "here", "hers", "herself", "him", "himself", "his",
    "how", "i", "if", "in", "into", "is", "isnt", "it", "its", "itself", "just", "may", "me", "might",
    "more", "most", "must", "mustnt", "my", "myself", "no", "nor", "not", "of", "off", "on", "once", "only",
    "or", "other", "ought", "our", "ours", "ourselves", "out", "over", "own", "same", "shall", "she",
    "should", "shouldnt", "so", "some", "such", "than", "that", "the", "their", "theirs", "them",
    "themselves", "then", "there", "these", "they", "this", "those", "through", "to", "too", "under",
    "until", "up", "us", "very", "was", "wasnt", "we", "were", "werent", "what", "when", "where", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "wont", "would", "wouldnt", "you", "your",
    "yours", "yourself", "yourselves",
];

/// True for a folded word that is left out of a query with other words.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}
