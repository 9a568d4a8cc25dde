//! The lines of Rust that the README shows: a mean of the example survey.

#![allow(clippy::print_stdout)]

fn main() -> suum::Result<()> {
    let tiers = "strict=0.01,standard=0.1,relaxed=1,public=inf".parse()?;
    let survey = suum::query("examples/randhie.csv").tiers("privacy", tiers);
    let answer = survey.mean("visits", 0.0..=77.0).run()?;
    if let Some(release) = answer.releases().and_then(|releases| releases.one()) {
        println!("{} {:?} {:?}", release.estimate(), release.interval(), release.privacy);
    }
    Ok(())
}
