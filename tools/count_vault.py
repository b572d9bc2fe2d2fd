#!/usr/bin/env python3
"""Counts notes, wikilinks, embeds and Markdown links to vault files of a vault.

An independent check of the parser: it shares no code and as little method as possible
with it (regular expressions over text with code, comments and math cut out first). It
knows no block structure, so it may differ where Markdown needs one.

    count_vault.py VAULT [--notes]     one line, or one line a note (path, wiki, embeds, md)
"""
import os
import re
import sys
import urllib.parse

FENCE = re.compile(r"^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})(.*)$")
WIKI = re.compile(r"(!?)\[\[((?:(?!\[\[|\]\])[^\n])+?)\]\]")
MD = re.compile(
    r"(!?)\[((?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*)\]"
    r"\(\s*(<[^<>\n]*>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))+)"
    r"(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*\)", re.S)
SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+:|^//")


def frontmatter_end(lines):
    if not lines or lines[0].rstrip() != "---":
        return 0
    for i, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            return i + 1
    return 0


def without_fences(lines):
    out, mark = [], None
    for line in lines:
        match = FENCE.match(line)
        if mark:
            if match and match[1][0] == mark[0] and len(match[1]) >= len(mark) \
                    and not match[2].strip():
                mark = None
            out.append("")
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            mark = match[1]
            out.append("")
        else:
            out.append(line)
    return out


def without_code_spans(paragraph):
    out, at = [], 0
    for run in re.finditer(r"\\.|(`+)", paragraph):
        if run[1] is None or run.start() < at:
            continue
        close = re.compile(r"(?<!`)" + run[1] + r"(?!`)").search(paragraph, run.end())
        if close:
            out.append(paragraph[at:run.start()])
            at = close.end()
    return "".join(out) + paragraph[at:]


def body_text(text):
    lines = text.split("\n")
    lines = without_fences(lines[frontmatter_end(lines):])
    text = "\n".join(lines)
    text = re.sub(r"%%.*?%%|<!--.*?-->", "", text, flags=re.S)
    text = "\n\n".join(without_code_spans(p) for p in re.split(r"\n[ \t]*\n", text))
    text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S)
    return re.sub(r"(?<!\\)\$(?=\S)[^$\n]{0,1000}?(?<=\S)\$(?!\d)", "", text)


def count_note(path):
    with open(path, "rb") as file:
        raw = file.read()
    text = raw.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    body = body_text(text)
    wiki = embeds = markdown = 0
    for bang, inside in WIKI.findall(body):
        target = inside.split("|")[0].strip()
        if re.match(r"[A-Za-z][\w+.-]*://|mailto:", target) or not target.strip("#^\\ "):
            continue
        if bang:
            embeds += 1
        else:
            wiki += 1
    rest = WIKI.sub("", body)
    for _, _, target in MD.findall(rest):
        target = urllib.parse.unquote(target.strip("<>").strip())
        if target.strip("#") and not SCHEME.match(target):
            markdown += 1
    return wiki, embeds, markdown


def main():
    vault, per_note = sys.argv[1], "--notes" in sys.argv[2:]
    notes, totals = 0, [0, 0, 0]
    for folder, names, files in os.walk(vault):
        names[:] = sorted(n for n in names
                          if not n.startswith(".") and n not in ("_private", "_sensitiveData"))
        for name in sorted(files):
            if name.startswith(".") or not name.lower().endswith((".md", ".markdown")):
                continue
            path = os.path.join(folder, name)
            if os.path.islink(path):
                continue
            notes += 1
            counts = count_note(path)
            totals = [a + b for a, b in zip(totals, counts)]
            if per_note:
                print("N", os.path.relpath(path, vault), *counts, sep="\t")
    print(f"notes {notes} wikilinks {totals[0]} embeds {totals[1]} markdown {totals[2]}")


if __name__ == "__main__":
    main()
