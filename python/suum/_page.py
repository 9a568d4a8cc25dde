"""Pages in the words of Python."""

from __future__ import annotations

import html
import re

from ._calls import call
from ._given_names import looks_like_words
from ._words import in_python

#: What is no sentence: styles, scripts, names of data, the JSON to be read by programs, and what a
#: script fills; then all other tags.
_LEFT = re.compile(
    r"(<style\b.*?</style>|<script\b.*?</script>|<title>.*?</title>|<bdi>.*?</bdi>"
    r'|<pre id="json".*?</pre>|<pre class="wrap".*?</pre>|<[^>]*>)',
    re.DOTALL,
)


def page(text: str) -> str:
    """A page that Rust has written, whose sentences name keywords in place of options, and whose
    commands are calls. What is no sentence stays as it is.

    >>> page("<p>see --explain</p><code>suum count DATA --epsilon e</code><bdi>--explain</bdi>")
    '<p>see explain()</p><code>suum.count(DATA, epsilon="e")</code><bdi>--explain</bdi>'
    """
    parts = _LEFT.split(text)
    for at in range(0, len(parts), 2):
        if not looks_like_words(parts[at]):
            continue
        said = html.unescape(parts[at])
        is_code = at > 0 and parts[at - 1].startswith("<code")
        reworded = call(said) if is_code and said.startswith("suum ") else in_python(said)
        if reworded != said:
            parts[at] = html.escape(reworded, quote=False)
    return "".join(parts)
