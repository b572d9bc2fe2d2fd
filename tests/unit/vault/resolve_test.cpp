// Link resolution in Obsidian's order.
#include "vault/resolve.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lectern::vault {
namespace {

struct Vault {
  LinkIndex index;
  explicit Vault(const std::vector<std::string>& paths) {
    int64_t id = 0;
    for (const std::string& path : paths) index.add_note(id++, path, {});
  }
  Resolution to(const std::string& target, const std::string& from = "Home.md",
                LinkSyntax syntax = LinkSyntax::kWiki) const {
    Link link;
    link.target = target;
    link.syntax = syntax;
    return index.resolve(from, link);
  }
};

TEST(Resolve, ByNameInAnyFolder) {  // report 10
  const Vault vault({"Home.md", "a/b/Deep.md"});
  EXPECT_EQ(vault.to("Deep").path, "a/b/Deep.md");
  EXPECT_EQ(vault.to("deep.md").state, LinkState::kResolved);
  EXPECT_EQ(vault.to("b/Deep").note, 1);
  EXPECT_EQ(vault.to("c/Deep").state, LinkState::kUnresolved);
  EXPECT_EQ(vault.to("eep").state, LinkState::kUnresolved);
}

TEST(Resolve, SeveralOfThatName) {  // report 8
  const Vault vault({"x/y/N.md", "z/N.md", "w/N.md", "Root.md", "q/Root.md"});
  const Resolution near = vault.to("N", "x/y/Home.md");
  EXPECT_EQ(near.state, LinkState::kAmbiguous);
  EXPECT_EQ(near.path, "x/y/N.md");
  EXPECT_EQ(vault.to("N").path, "w/N.md");  // shortest, then byte order
  EXPECT_EQ(vault.to("N").candidates, (std::vector<int64_t>{2, 1, 0}));
  EXPECT_EQ(vault.to("Root", "q/Home.md").path, "Root.md");  // exact vault path
  EXPECT_EQ(vault.to("Root", "q/Home.md").state, LinkState::kResolved);
}

TEST(Resolve, CaseAndUnicodeForms) {  // reports 11 and 12
  const Vault vault({"README.md", "readme.md", "Imp\xC3\xB4t.md", "a b.md", "a_b.md"});
  EXPECT_EQ(vault.to("README").note, 0);
  EXPECT_EQ(vault.to("readme").note, 1);
  EXPECT_EQ(vault.to("Readme").state, LinkState::kAmbiguous);
  EXPECT_EQ(vault.to("impo\xCC\x82t").note, 2);
  EXPECT_EQ(vault.to("a b").note, 3);
}

TEST(Resolve, RelativeAndRooted) {
  const Vault vault({"a/N.md", "N.md", "a/b/M.md"});
  EXPECT_EQ(vault.to("./N", "a/x.md").note, 0);
  EXPECT_EQ(vault.to("../N", "a/b/x.md").note, 0);
  EXPECT_EQ(vault.to("../../../N", "a/x.md").state, LinkState::kUnresolved);
  EXPECT_EQ(vault.to("/N", "a/x.md").note, 1);
  EXPECT_EQ(vault.to("/M").state, LinkState::kUnresolved);
  EXPECT_EQ(vault.to("N.md", "a/x.md", LinkSyntax::kMarkdown).note, 0);
  EXPECT_EQ(vault.to("N.md", "a/x.md").note, 1);
  EXPECT_EQ(vault.to("b/M.md", "a/x.md", LinkSyntax::kMarkdown).note, 2);
  EXPECT_EQ(vault.to("M.md", "z.md", LinkSyntax::kMarkdown).note, 2);
}

TEST(Resolve, SameNoteAttachmentsAndAliases) {  // report 9
  LinkIndex index;
  index.add_note(7, "f/Note.md", {"Other name"});
  index.add_note(8, "Board.canvas", {});
  index.add_attachment("img/Pic.PNG");
  Link link;
  EXPECT_EQ(index.resolve("f/Note.md", link).note, 7);
  link.target = "pic.png";
  EXPECT_EQ(index.resolve("f/Note.md", link).path, "img/Pic.PNG");
  EXPECT_EQ(index.resolve("f/Note.md", link).state, LinkState::kResolved);
  EXPECT_EQ(index.resolve("f/Note.md", link).note, -1);
  link.target = "pic";
  EXPECT_EQ(index.resolve("f/Note.md", link).state, LinkState::kUnresolved);
  link.target = "other NAME";
  EXPECT_EQ(index.resolve("f/Note.md", link).state, LinkState::kAlias);
  EXPECT_EQ(index.resolve("f/Note.md", link).note, 7);
  link.target = "Board.canvas";
  EXPECT_EQ(index.resolve("f/Note.md", link).note, 8);
  link.target = "Board";
  EXPECT_EQ(index.resolve("f/Note.md", link).state, LinkState::kUnresolved);
}

TEST(Resolve, KeysAreTheFoldedName) {
  EXPECT_EQ(LinkIndex::link_key("a/B.md"), "b");
  EXPECT_EQ(LinkIndex::link_key("a/B.png"), "b.png");
}

}  // namespace
}  // namespace lectern::vault
