//! The keys of the JSON of plans, in their order.

use super::common::stdout;

const PLANS: [(&str, &str); 10] = [
    (
        "--bounds 0,50 --shrink --no-adapt",
        "statistic target neighbors bounds variance beta profile estimators excluded chosen \
         lower_bound gap personalization_gain ratio_bound shrinkage privacy noise half_width \
         intervals",
    ),
    (
        "--bounds 0,50 --statistic sum",
        "statistic target price_of_tiers_apart neighbors bounds variance beta profile estimators \
         excluded chosen lower_bound gap personalization_gain ratio_bound privacy noise learning \
         half_width intervals",
    ),
    (
        "--statistic frequency --categories a,b,c",
        "statistic target neighbors categories beta profile estimators excluded chosen \
         lower_bound gap personalization_gain ratio_bound privacy noise half_width intervals",
    ),
    (
        "--statistic quantile --q 0.25,0.5 --bounds 0,50",
        "statistic q target neighbors bounds cells rows profile estimators chosen split \
         together privacy noise half_width intervals",
    ),
    (
        "--statistic variance --bounds 0,50",
        "statistic estimator target neighbors bounds profile weights error privacy noise \
         half_width intervals",
    ),
    (
        "--statistic mean,variance,q50 --bounds 0,50",
        "statistic statistics bounds profile split privacy parts rmse_of_mean half_width \
         intervals",
    ),
    (
        "--bounds auto",
        "statistic target neighbors bounds profile unit error chosen range lower_bound gap \
         privacy inside half_width intervals",
    ),
    (
        "--statistic variance --bounds auto",
        "statistic target neighbors bounds profile unit error chosen no_interval range \
         privacy inside half_width intervals",
    ),
    (
        "--neighbors both --bounds 0,50 --epsilon-range 0.01,2",
        "statistic target neighbors bounds profile estimators excluded chosen lower_bound gap \
         privacy learning half_width intervals",
    ),
    (
        "--neighbors add-remove --statistic quantile --bounds 0,50 --epsilon-range 0.01,2",
        "statistic q target neighbors bounds cells rows profile estimators excluded chosen \
         privacy half_width intervals",
    ),
];

#[test]
fn plans_have_these_keys() {
    for (words, keys) in PLANS {
        let profile = ["plan", "--format", "json", "--profile", "0.1:3400,0.5:800,1:700"];
        let words: Vec<&str> = words.split(' ').collect();
        let plan = stdout(&[&profile[..], &words].concat());
        // What is further inside is further to the right.
        let top = plan.lines().filter_map(|line| line.strip_prefix("  \"")?.split_once('"'));
        let top: Vec<&str> = top.map(|(key, _)| key).collect();
        assert_eq!(top, keys.split(' ').collect::<Vec<_>>(), "{words:?}");
    }
}
