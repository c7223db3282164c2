//! The full-text index of tools.

use std::sync::Arc;

use proptest::prelude::*;
use rstest::rstest;
use toolgate_domain::{ToolId, ids::Uuid};
use toolgate_store::{ToolIndex, ToolIndexes, ToolText, Words};
use toolgate_store_sql::local::FullText;

const TOOLS: [[&str; 4]; 6] = [
    ["send_mail", "api", "Sends a message to somebody.", "recipient subject body who shall read it"],
    ["sendInvoice", "finance", "Bills a customer.", "customer_id amount currency EUR USD"],
    ["list_messages", "api", "Messages that came in, with the mail's sender.", "folder limit"],
    ["getHTTPStatus", "api", "Tells whether a page answers.", "url"],
    ["zip_files", "data", "Makes an archive.", "paths compression deflate zstd"],
    ["gruesse", "text", "Schöne Grüße an alle.", "empfänger"],
];

fn id(number: usize) -> ToolId {
    ToolId::from_uuid(Uuid::from_u128(number as u128))
}

async fn index() -> Arc<dyn ToolIndex> {
    let text = |[name, category, description, parameters]: [&str; 4]| ToolText {
        name: name.to_owned(),
        category: category.to_owned(),
        description: description.to_owned(),
        parameters: parameters.to_owned(),
    };
    let tools = TOOLS.into_iter().enumerate().map(|(number, tool)| (id(number), text(tool))).collect();
    FullText.build(tools).await.unwrap()
}

async fn names(query: &str, words: Words) -> Vec<&'static str> {
    let found = index().await.search(query, words).await.unwrap();
    found
        .iter()
        .map(|found| TOOLS[(0..TOOLS.len()).find(|number| id(*number) == *found).unwrap()][0])
        .collect()
}

#[rstest]
#[case::snake_case("mail", &["send_mail", "list_messages"])]
#[case::camel_case("invoice", &["sendInvoice"])]
#[case::capitals("http status", &["getHTTPStatus"])]
#[case::written_together("sendmail", &["send_mail"])]
#[case::a_parameter("recipient", &["send_mail"])]
#[case::a_choice_of_a_parameter("zstd", &["zip_files"])]
#[case::the_beginning_of_a_word("compr", &["zip_files"])]
#[case::a_category("finance", &["sendInvoice"])]
#[case::without_its_accents("schone grusse", &[])]
#[case::accents_do_not_matter("schone", &["gruesse"])]
#[case::all_words_are_there("mail subject", &["send_mail"])]
#[case::one_word_is_not("mail zstd", &[])]
#[tokio::test]
async fn a_filter_finds_what_has_all_the_words(#[case] query: &str, #[case] found: &[&str]) {
    assert_eq!(names(query, Words::All).await, found);
}

#[rstest]
#[case::a_name_before_a_description("mail", "send_mail")]
#[case::more_words_are_better("bill the customer an amount in EUR", "sendInvoice")]
#[case::another_form_of_the_word("archives", "zip_files")]
#[case::one_that_is_not_there("mailing the moon", "send_mail")]
#[tokio::test]
async fn a_question_finds_the_best_first(#[case] query: &str, #[case] best: &str) {
    assert_eq!(names(query, Words::Any).await.first(), Some(&best));
}

#[rstest]
#[case("\"")]
#[case("mail\" OR \"zip")]
#[case("name : mail")]
#[case("NEAR(mail message, 2)")]
#[case("* ^ + - ( ) { } , .")]
#[case("mail\0zip")]
#[case("'; DROP TABLE tools; --")]
#[case("🦀 👩‍👩‍👧 ⓐ ﷺ")]
#[case("{name description} : zip")]
#[tokio::test]
async fn no_sign_means_anything(#[case] query: &str) {
    let index = index().await;
    for words in [Words::All, Words::Any] {
        index.search(query, words).await.unwrap();
    }
    assert_eq!(index.search("zip", Words::All).await.unwrap(), [id(4)], "the index is as it was");
}

#[tokio::test]
async fn a_query_of_a_megabyte_is_cut_and_not_refused() {
    let index = index().await;
    for filler in ["x", "word ", "\"* ", "aB", "ß_"] {
        let query = format!("zip {}", filler.repeat(1_000_000 / filler.len()));
        assert_eq!(index.search(&query, Words::Any).await.unwrap().first(), Some(&id(4)), "{filler}");
    }
}

#[tokio::test]
async fn equals_come_in_the_order_in_which_they_were_handed_in() {
    let text = ToolText { name: "twin".to_owned(), ..ToolText::default() };
    let tools = (0..50).rev().map(|number| (id(number), text.clone())).collect();
    let found = FullText.build(tools).await.unwrap().search("twin", Words::Any).await.unwrap();
    assert_eq!(found, (0..50).rev().map(id).collect::<Vec<_>>());
}

proptest! {
    #[test]
    fn whatever_is_asked_is_answered_and_answered_alike(query in any::<String>(), more in "[\\PC\"*:^(){}+-]{0,60}") {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let index = index().await;
            for words in [Words::All, Words::Any] {
                for query in [&query, &more, &format!("{query} mail {more}")] {
                    let once = index.search(query, words).await.unwrap();
                    assert_eq!(once, index.search(query, words).await.unwrap());
                }
            }
        });
    }

    #[test]
    fn a_tool_is_found_by_its_own_words(name in "[a-z]{2,8}(_[a-z]{2,8}){0,3}", description in "([\\p{L}]{1,12} ){1,6}") {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let text = ToolText { name: name.clone(), description, ..ToolText::default() };
            let index = FullText.build(vec![(id(7), text)]).await.unwrap();
            assert_eq!(index.search(&name, Words::All).await.unwrap(), [id(7)]);
            assert_eq!(index.search(&name, Words::Any).await.unwrap(), [id(7)]);
        });
    }
}
