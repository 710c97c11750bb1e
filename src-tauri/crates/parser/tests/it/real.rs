//! Real documents, compared with what people and other programs read in them. Each document is read once for all of it.

use crate::{about, boxes, gold};

#[test]
fn real_documents_are_read_as_people_read_them() {
    about::real_documents_say_who_issued_them_and_when();
    gold::gdpr_articles_and_recitals();
    gold::chinese_laws();
    gold::chinese_articles_count_up();
    gold::chinese_paths();
    boxes::the_second_reader_finds_the_sentences_in_their_boxes();
    boxes::poppler_finds_the_sentences_in_their_boxes();
}
