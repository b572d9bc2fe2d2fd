// Stop words: closed lists by language, in folded form. One set for all languages, because
// the language of a short question is not known; so words that carry meaning in another of
// them (English war, die, hat, son, man, sin, dig, van; German die, war, hat) are left out:
// their low idf in their own language does the work.
#include "text/stopwords.h"

#include <algorithm>
#include <unordered_set>

namespace lectern::text {

namespace {

constexpr std::string_view kEnglish =
    "a an the this that these those i me my mine myself we us our ours ourselves you your yours "
    "yourself he him his himself she her hers herself it its itself they them their theirs "
    "themselves one ones someone something anyone anything who whom whose which what when where "
    "why how am is are was were be been being do does did doing done have has had having can "
    "could will would shall should may might must ought cannot of in on at by for with about "
    "against between into through during before after above below to from up down out off over "
    "under again further upon within without across along among around toward towards via per "
    "than then and but if or nor because as until while although though whether so not no yes "
    "only own same too very just also there here all any both each few more most other some such "
    "every either neither much many s t d ll re ve m dont cant isnt arent wasnt didnt doesnt "
    "wont what's whats who's it's that's there's let's please tell";
constexpr std::string_view kGerman =
    "der das den dem des ein eine einen einem einer eines und oder aber doch nicht kein keine "
    "keinen keinem keiner ich du er sie es wir ihr mich dich sich uns euch ihn ihm ihnen mir dir "
    "mein meine meinen dein deine sein seine seinen seiner seinem ihre ihren ihrer ihrem unser "
    "unsere euer ist sind bist waren wird werden wurde wurden worden haben habe hatte hatten kann "
    "konnte konnen soll sollte sollen muss musste mussen darf durfen mag mochte wollen wollte in "
    "im an am auf aus bei beim mit nach seit von vom zu zum zur durch fur gegen ohne um uber "
    "unter vor hinter neben zwischen als wie wenn weil dass ob damit dann denn da dort hier auch "
    "noch nur schon sehr so mehr man wer wen wem wessen welche welcher welches welchen welchem "
    "warum wieso weshalb wann wo wohin woher wieviel wieviele viele viel diese dieser dieses "
    "diesen diesem jede jeder jedes alle alles einige etwas nichts";
constexpr std::string_view kFrench =
    "le la les un une des du de l d au aux et ou ni mais donc car que qui quoi dont lequel "
    "laquelle "
    "lesquels lesquelles quel quelle quels quelles quand comment pourquoi combien est sont etait "
    "etaient sera seront etre ete a ont avait avaient avoir fait je tu il elle on nous vous ils "
    "elles me te se moi toi lui leur leurs mon ma mes ton ta tes sa ses notre nos votre vos ce "
    "cet cette ces cela ceci ca c j n qu en dans par pour sur sous avec sans entre vers chez "
    "depuis "
    "pendant avant apres ne pas plus moins tres aussi si comme y";
constexpr std::string_view kSpanish =
    "el los las una unos unas lo al del y e o u pero sino que quien quienes cual cuales cuando "
    "donde como porque cuanto cuantos cuanta cuantas es son era eran fue fueron ser sido esta "
    "estan estaba estar ha han habia haber hay yo tu ella ello nosotros vosotros ellos ellas "
    "usted ustedes mi mis tus su sus nuestro nuestra nuestros nuestras este estos estas ese esa "
    "esos esas aquel aquella con para por desde hasta entre sobre segun durante mas muy tambien "
    "ya no si se le les nos os";
constexpr std::string_view kItalian =
    "il gli i uno una dei delle degli del della dello dell al alla allo ai agli alle dal dalla "
    "dallo dai nel nella nello nei nelle sul sulla sullo sui ed ma pero che chi cui quale quali "
    "quando perche quanto quanti quanta quante e sono erano stato stata essere ha hanno "
    "aveva avere io lui lei noi voi loro mio mia suo sua suoi sue questo questa questi queste "
    "quello quella con tra fra da di su non piu molto anche si ci vi";
constexpr std::string_view kPortuguese =
    "o os as um uma uns umas do dos das no na nos nas ao aos pelo pela pelos pelas num numa e ou "
    "mas que quem qual quais quando onde como porque quanto quantos quantas sao foi foram ser "
    "esta estao estava tem tinha ter ha eu ele ela eles elas voce voces meu minha seu sua seus "
    "suas este esta isto esse essa isso aquele aquela com para por desde ate entre sobre nao mais "
    "muito tambem ja se lhe";
constexpr std::string_view kDutch =
    "de het een en of maar want dat die dit deze wie wat waar wanneer waarom hoe welke hoeveel is "
    "zijn waren wordt worden werd werden heeft hebben had kan kunnen zal zou zullen moet moeten "
    "ik jij je u hij zij ze wij we jullie mij hem haar ons hun mijn jouw uw onze in op aan bij "
    "met naar voor door over onder tussen te ten ter tot uit om als dan ook nog niet geen er";
constexpr std::string_view kSwedish =
    "en ett den det de och eller att som vad vem vilka vilken vilket varfor hur nar var ar "
    "varit blir har hade kan kunde ska skulle jag du han hon vi ni dom mig honom henne oss er "
    "min mitt mina ditt dina sitt sina var vara i pa av till fran med om for vid mellan "
    "efter inte ocka ocksa inom dessa detta denna";
constexpr std::string_view kIndonesian =
    "yang dan atau tetapi tapi di ke dari pada dalam untuk dengan oleh sebagai adalah ialah itu "
    "ini apa siapa kapan dimana mana mengapa kenapa bagaimana berapa apakah aku saya kamu anda "
    "dia ia kami kita mereka nya tidak bukan akan telah sudah sedang bisa dapat ada juga para "
    "sebuah seorang suatu karena jika bila agar saat ketika antara tentang terhadap bagi serta";
constexpr std::string_view kRussian =
    "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее "
    "мне было вот от меня еще нет о из ему теперь когда даже ну ли если уже или ни быть был него "
    "до вас нибудь вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя "
    "их чем была сам чтоб без будто чего раз тоже себе под будет ж тогда кто этот того потому "
    "этого какои какая какое какие каких каким какому сколько почему зачем куда откуда ним здесь "
    "этом один почти мои тем чтобы нее были при об это эта эти этои этих также между который "
    "которыи которая которое которые которых которого которои через над про какого какую";
constexpr std::string_view kChinese =
    "的 了 是 在 和 与 及 或 也 都 就 而 但 不 有 这 那 我 你 他 她 它 们 吗 呢 吧 啊 之 其 被 把 "
    "为 "
    "什么 哪 哪些 哪个 谁 何 何时 多少 几 怎么 怎样 如何 为什么 我们 你们 他们 它们 這 們 嗎 與 為 "
    "什麼 誰 哪裡 哪里 怎麼 為什麼 是什 么是 麼是 是谁 是誰 一个 一個 这个 這個 那个 那個";
constexpr std::string_view kJapanese =
    "の に は を た が で て と し れ さ も な か ら い や よ へ "
    "です ます した する ある いる これ それ あれ この その あの ここ そこ どこ だれ なに なぜ "
    "から まで より など です どの どう ます 何 誰 いつ ですか";

std::unordered_set<std::string_view> make_set() {
  std::unordered_set<std::string_view> set;
  for (const std::string_view list :
       {kEnglish, kGerman, kFrench, kSpanish, kItalian, kPortuguese, kDutch, kSwedish, kIndonesian,
        kRussian, kChinese, kJapanese}) {
    for (size_t at = 0; at < list.size();) {
      const size_t end = std::min(list.find(' ', at), list.size());
      if (end > at) set.insert(list.substr(at, end - at));
      at = end + 1;
    }
  }
  // Function words of one language that carry meaning in another.
  for (const std::string_view word :
       {"die", "war", "hat", "man", "son", "sin", "us", "car", "ton", "sera", "mag"}) {
    set.erase(word);
  }
  return set;
}

}  // namespace

bool is_stopword(std::string_view folded) {
  static const std::unordered_set<std::string_view> set = make_set();
  if (set.contains(folded)) return true;
  const size_t apostrophe = folded.find('\'');
  if (apostrophe == std::string_view::npos || apostrophe + 1 >= folded.size()) return false;
  // don't, we're, l'un: when what stands on both sides is one, or an ending of one.
  const std::string_view left = folded.substr(0, apostrophe);
  const std::string_view right = folded.substr(apostrophe + 1);
  const bool negated = right == "t" && left.size() > 1 && left.back() == 'n' &&
                       (set.contains(left.substr(0, left.size() - 1)) || set.contains(left) ||
                        left == "don" || left == "won" || left == "can");
  return negated || (set.contains(left) && set.contains(right));
}

}  // namespace lectern::text
