//! Pages in a browser: nothing sticks out, on a telephone or on a desk.

use std::fs;

use suum_testing::Browser;

use super::cases;

/// Measures every page in frames of these widths, and writes what it found into its own body.
const LOOK: &str = r#"<!DOCTYPE html><meta charset="utf-8"><body><script>
const pages = PAGES, found = [];
async function look(page, width) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width:${width}px;height:900px;border:0`;
  frame.src = page;
  const loaded = new Promise(done => frame.onload = done);
  document.body.append(frame);
  await loaded;
  const inside = frame.contentDocument, root = inside.documentElement;
  const wide = root.scrollWidth > frame.contentWindow.innerWidth;
  const small = parseFloat(getComputedStyle(inside.body).fontSize) < 16;
  const flat = [...inside.querySelectorAll("svg, math")]
    // What the tiers' bars draw stands beside them in a number, so telephones leave them out.
    .filter(one => !(width < 400 && one.closest('#tiers .narrow')))
    .some(one => one.getBoundingClientRect().height < 5 && !one.closest("details"));
  const out = [...inside.querySelectorAll("svg text")].some(one => {
    const box = one.getBoundingClientRect();
    return !one.closest(".scroll") && (box.left < 0 || box.right > width);
  });
  found.push(`${page} ${width} ${frame.contentWindow.innerWidth} ${wide} ${small} ${flat} ${out}`);
  frame.remove();
}
(async () => {
  for (const page of pages) for (const width of [360, 1280]) await look(page, width);
  document.body.textContent = "LOOKED\n" + found.join("\n") + "\nDONE";
})();
</script>"#;

#[test]
fn nothing_sticks_out_of_any_page() {
    let Some(browser) = Browser::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cases = cases::all();
    let mut pages = Vec::new();
    for (at, (_, made)) in cases.iter().enumerate() {
        pages.push(format!("page-{at}.html"));
        fs::write(folder.path().join(&pages[at]), &made.html).unwrap();
    }
    // One page that must be found to be too wide, with text that is too small: the test can tell.
    pages.push("wrong.html".into());
    let wrong = "<!DOCTYPE html><body style=\"font-size:15px\"><p style=\"width:1500px\">x</p><svg \
        height=\"1\"></svg>";
    fs::write(folder.path().join("wrong.html"), wrong).unwrap();
    fs::write(folder.path().join("look.html"), LOOK.replace("PAGES", &format!("{pages:?}")))
        .unwrap();

    let dumped = browser.open(folder.path(), "look.html");
    let found = dumped.split("LOOKED\n").nth(1).and_then(|rest| rest.split("\nDONE").next());
    let found: Vec<&str> =
        found.unwrap_or_else(|| panic!("no page was looked at: {dumped}")).lines().collect();
    assert_eq!(found.len(), 2 * pages.len());
    for line in found {
        let fields: Vec<&str> = line.split(' ').collect();
        let (page, width) = (fields[0], fields[1]);
        assert_eq!(fields[2], width, "{line}");
        if page == "wrong.html" {
            assert_eq!(fields[3..6], ["true"; 3], "{line}");
            continue;
        }
        let at: usize = page.trim_start_matches("page-").trim_end_matches(".html").parse().unwrap();
        assert_eq!(
            fields[3..],
            ["false"; 4],
            "too wide, small, flat or outside at {width}: {}",
            cases[at].0
        );
    }
}
