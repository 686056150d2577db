"""What rules cannot build, said plainly: what it is, what a model would add, and what can be had today."""

import functools
import re
from dataclasses import dataclass

from understanding.nouns import find_noun
from understanding.sheet import Sheet
from understanding.text import KIND, words_of

REST = r"[^.;,\n]{0,120}"


@dataclass(frozen=True, slots=True)
class Limit:
    """`heads` are things that an app would be through and through; `extras` are wishes beside one that can be built."""

    what: str
    model: str
    instead: str
    heads: str = ""
    extras: str = ""


PAYMENTS = Limit(
    "Taking payments",
    "connect a payment service such as Stripe",
    "a list of orders with a box to tick when one is paid",
    heads=rf"payment (?:app|system|service|platform|gateway|processor|page|form|site|website|link|button)s?|wallet app|"
    rf"banking app|bank account app|pay (?:me|us) {REST}",
    extras=rf"(?:paypal|stripe|klarna|apple pay|google pay)(?: payments?| checkout)?|(?:pay|paying|"
    rf"payable) (?:online|with|by|via){REST}|online payments?|credit cards?(?: payments?)?|"
    rf"(?:accept|take|taking|accepting|process|processing|handle|"
    rf"collect)s? (?:online )?payments?{REST}|payment (?:processing|integration|system|gateway)|"
    rf"can pay{REST}|online checkout|checkout (?:process|page)",
)
LIMITS = (
    PAYMENTS,
    Limit(
        "Sending messages (email, SMS, reminders)",
        "connect a mail or message service",
        "a page that shows what is due",
        heads=(
            rf"(?:send|sending) (?:\w+ ){{0,4}}(?:e?mails?|sms|texts?|messages?|newsletters?|"
            rf"notifications?){REST}|(?:email|sms|newsletter|mail) (?:sender|bot|blaster)|remind me{REST}"
        ),
        extras=rf"(?:(?:it|they|the app|we|i|and|to|automatically|should|can|will|also|which|that|"
        rf"must) ){{0,4}}(?:send|sends|sending|sent|e-?mails|texts) (?:\w+ ){{0,4}}(?:e?mails?|sms|"
        rf"text messages?|texts?|messages?|reminders?|notifications?|newsletters?|whatsapp|alerts?|"
        rf"invites|invitations|confirmations?){REST}|"
        rf"(?:e?mail|sms|push|whatsapp|text|automatic|phone|telegram)[- ](?:reminders?|notifications?|"
        rf"alerts?|confirmations?){REST}|(?:notify|notifies|notified|alerts? me|alerts? us){REST}|"
        rf"notifications|"
        rf"(?:(?:it|they|which|that|and|should|will|to) ){{0,4}}remind(?:s|ing|ed)? (?:me|us|people|them|"
        rf"customers|everyone|members|patients|clients|parents){REST}|email (?:me|us|them|people|"
        rf"everyone|the customer){REST}|"
        rf"(?:i|we|they|people) (?:should )?(?:get|receive) (?:an? )?(?:e?mail|sms|text|message|"
        rf"notification|reminder)s?{REST}|reminders",
    ),
    Limit(
        "Talking with an AI",
        "answer in words of its own",
        "a list of questions and answers that people can search",
        heads=(
            rf"(?:ai |smart |intelligent )?chat ?-?bots?{REST}|(?:ai|virtual|voice|"
            rf"personal) assistants?{REST}|chat with (?:an? )?(?:ai|gpt|bot){REST}|"
            rf"(?:chat)?gpt(?: clone)?{REST}|ai (?:agent|model|app|tool|bot|writer|generator){REST}"
        ),
        extras=r"(?:(?:with|using|and|by|an?) ){0,4}(?:ai|a\.i\.|artificial intelligence|machine learning|"
        r"chatgpt|gpt|neural network|llm)(?:[- ](?:powered|driven|based|assisted|generated|"
        r"suggestions?|recommendations?|features?|chat|assistant|summary|summaries|support|help))|"
        rf"(?:with|using|by|and) (?:some )?(?:ai|artificial intelligence|machine learning|chatgpt|gpt|"
        rf"openai|llms?)\b(?: that{REST})?|ai that{REST}|recommend(?:s|ation|ations)? {REST}|"
        rf"predict(?:s|ion|ions|ing)? {REST}|suggests (?:what|which|recipes|meals|books|products|"
        rf"movies){REST}",
    ),
    Limit(
        "Recognising pictures, speech or handwriting",
        "look at pictures or listen",
        "fields that people fill in themselves",
        heads=(
            rf"(?:image|face|facial|photo|object|speech|voice|plant|handwriting) (?:recognition|detection|"
            rf"recogni[sz]er){REST}|ocr{REST}|recogni[sz](?:e|es|ing) (?:\w+ ){{0,3}}(?:in|from|on|faces|"
            rf"photos|pictures|images|plants|people){REST}"
        ),
        extras=(
            rf"(?:(?:let|it|should|can|and|to|automatically|also|that|which|"
            rf"the app) ){{0,4}}(?:recogni[sz]e|recogni[sz]es|identify|identifies|"
            rf"detects?) (?:\w+ ){{0,3}}(?:faces?|photos?|pictures?|images?|plants?|voices?|speech|"
            rf"objects?|handwriting){REST}|(?:face|image|speech|voice|facial) (?:recognition|detection|"
            rf"input|control)|scan(?:s|ning)? (?:receipts?|documents?|barcodes?|qr codes?|invoices?){REST}|"
            rf"barcode scann(?:er|ing)|ocr"
        ),
    ),
    Limit(
        "Uploading files and pictures",
        "add storage for files",
        "a field for the address of a picture",
        heads=(
            rf"(?:file|photo|image|video) (?:sharing|upload|hosting|storage) (?:app|site|service|platform|"
            rf"tool|website){REST}|photo editor{REST}|image editor{REST}"
        ),
        extras=(
            r"(?:(?:can|to|could|and|people|users|also|able|be) ){0,4}(?:upload|uploads|uploading|"
            r"attach) (?:\w+ ){0,3}(?:photos?|pictures?|images?|files?|videos?|documents?|pdfs?|"
            r"attachments?|pics|scans?|cvs?|resumes?|recordings?)|(?:photo|picture|image|file|video|"
            r"document)[- ]uploads?(?:er|ing)?|file attachments?|attachments"
        ),
    ),
    Limit(
        "Maps and places on them",
        "connect a map service",
        "a field for the address",
        heads=(
            rf"(?:google )?maps? (?:app|clone|of{REST})|navigation (?:app|system){REST}|gps (?:tracker|app|"
            rf"tracking){REST}|route planner{REST}"
        ),
        extras=(
            rf"(?:shown? |see |display(?:ed)? |pins? |put )?(?:them |it |all )?(?:on|with|in) (?:an? |"
            rf"the )?(?:google |interactive )?maps?(?: view)?\b|google maps?(?: integration)?|map view|"
            rf"an? (?:interactive )?map(?: (?:of|with|that){REST})?|geolocation|gps(?: coordinates|"
            rf" tracking)?|live location"
        ),
    ),
    Limit(
        "Things that happen live for several people at once",
        "add live connections and the rules behind them",
        "a board where people post messages and reload the page",
        heads=(
            rf"(?:(?:live|group|video|real-?time|instant|private) ){{0,4}}(?:chat|messaging|messenger|"
            rf"video call|video chat|conference)(?:ing)?(?: (?:app|application|room|rooms|site|website|"
            rf"platform|server|system|client)\b|$){REST}|whatsapp(?: clone)?{REST}|(?:like|"
            rf"similar to) (?:zoom|slack|discord|uber|airbnb|facebook|instagram|twitter|tiktok|netflix|"
            rf"youtube|spotify|tinder|whatsapp|amazon|ebay|google){REST}|(?:zoom|slack|discord|"
            rf"uber|airbnb|facebook|instagram|twitter|tiktok|netflix|youtube|spotify|tinder)(?: clone|"
            rf"-like app| clone app){REST}|an? (?:clone|copy) of (?:\w+){REST}|live ?stream(?:ing)?{REST}|"
            rf"social network{REST}"
        ),
        extras=(
            r"(?:in |with )?real[- ]?time(?: updates?| sync(?:ing)?| collaboration| chat| editing)?|"
            r"live (?:updates?|chat|video|collaboration)|(?:video|voice) (?:calls?|chat)|group chat|"
            r"direct messag(?:es|ing)|chat function|private messages"
        ),
    ),
    Limit(
        "Games",
        "write the rules and the drawing of a game",
        "a list of games, or of results and players",
        heads=rf"(?:multi-?player|racing|snake|tetris|platform(?:er|ing)?|shooter|shooting|arcade|puzzle|"
        rf"adventure|card|memory|quiz|3d|2d|browser|mobile|video|computer|role[- ]?playing|strategy|"
        rf"chess|word|guessing|math|kids|educational|online|fun|simple|little|small|cool|"
        rf"text adventure)(?: \w+)? games?\b(?! (?:collection|list|tracker|library|night|nights|"
        rf"scores?|results?|reviews?|inventory|catalog(?:ue)?|club|shelf|database|app for tracking|"
        rf"ratings?|shop|store|log))(?: (?:where|for|with|that){REST})?$|"
        rf"(?:a |the )?(?:tetris|snake|pong|sudoku|minesweeper|tic[- ]?tac[- ]?toe|hangman|wordle|"
        rf"pac-?man|flappy bird|solitaire|battleship|2048)(?: game| clone)?{REST}|"
        rf"games?(?=\s*[.!?]?\s*$| (?:like|where|in which|about|that|for (?:my )?(?:kids?|children|friends))\b){REST}",
        extras=r"mini-?games?",
    ),
    Limit(
        "Collecting data from other websites",
        "fetch and read other people's pages, where they allow it",
        "a list into which you put the data yourself, or figures from a CSV file",
        heads=(
            rf"(?:web )?(?:scrap(?:e|es|er|ing)|crawl(?:er|ing|s)?)\b{REST}|(?:price|news|stock|"
            rf"website) (?:scraper|crawler|monitor|watcher|aggregator){REST}|(?:monitor|check|watch|"
            rf"compare|fetch|pull|download|get) (?:\w+ ){{0,4}}(?:prices|data|news|results|listings|"
            rf"offers)(?: \w+)? from (?:the |other )?(?:web|websites?|internet|amazon|ebay|google|"
            rf"online shops?){REST}"
        ),
        extras=(
            rf"(?:(?:it should|and|which|that|to) ){{0,4}}(?:scrap(?:e|es|ing)|crawl(?:s|ing)?) {REST}|(?:fetch|"
            rf"pull|get|import|download)(?:s|es|ing)? (?:\w+ ){{0,4}}from (?:the web|the internet|amazon|"
            rf"ebay|google|wikipedia|imdb|goodreads|other websites|an? website|online){REST}|"
            rf"live (?:stock |share )?prices|current exchange rates?"
        ),
    ),
    Limit(
        "An app for the app stores",
        "write one for phones",
        "a web app that works well on a phone, which is what is built",
        extras=(
            r"(?:native\s+)?(?:iphone|ios|android|ipad)(?: and (?:iphone|ios|android))?(?=\s|$)|"
            r"native(?=\s+app)|mobile(?=\s+(?:app|application|phone app)\b)|smartphone(?=\s+app)|"
            r"phone(?=\s+app\b)|(?:for|in|on) (?:the )?(?:app store|play store|google play)|(?:on|"
            r"for) (?:my |our |the )?(?:iphones?|android|ipads?)"
        ),
    ),
    Limit(
        "Blockchains and crypto money",
        "write contracts for a blockchain",
        "a list of what you own",
        heads=(
            rf"block ?chain{REST}|(?:crypto|bitcoin|nft)(?:currency)? (?:wallet|exchange|trading|"
            rf"marketplace|miner|coin|token|trading bot){REST}|smart contracts?{REST}|nfts?{REST}|"
            rf"web3{REST}"
        ),
        extras=(
            rf"(?:on|with|using) (?:the )?(?:blockchain|ethereum|web3){REST}|pay(?:ments?)? (?:in|"
            rf"with) (?:bitcoin|crypto|ethereum)"
        ),
    ),
    Limit(
        "Changing code that was written by hand",
        "read and rewrite code",
        "new apps, and changes of apps that were built here",
        heads=(
            rf"refactor{REST}|(?:fix|debug|find) (?:the |my |a |this |an |all )?(?:bugs?|errors?|crash|"
            rf"issue)s?(?: in{REST})?$|(?:optimi[sz]e|clean up|rewrite|port|convert|migrate|review|improve|"
            rf"document|speed up) (?:the |my |our |this |existing )+(?:existing |old )?(?:code|codebase|"
            rf"program|script|function|app from{REST}){REST}|explain (?:this|my|the) code{REST}|(?:my|our|"
            rf"existing|legacy) (?:code|codebase){REST}"
        ),
    ),
    Limit(
        "Programs with logic of their own",
        "write the logic",
        "apps that keep, show, search and count things, sites, and figures from tables",
        heads=rf"(?:\w+ ){{0,3}}(?:calculator|converter|compiler|translator|solver|simulator|simulation|"
        rf"emulator|spell ?checker|(?:password|name|meme|qr[- ]?code|logo|invoice pdf|random \w+|text|"
        rf"image|lorem ipsum) generator|stop ?watch|alarm clock|countdown|(?:pomodoro|egg|kitchen|"
        rf"workout|cooking|interval)? ?timer|(?:music|video|media|mp3) player|drawing (?:app|program)|"
        rf"paint program|search engine|web browser|operating system|antivirus|(?:trading|discord|"
        rf"telegram|slack|twitter|whatsapp|irc|trade) bot|bots?|vpn|text editor|code editor|"
        rf"browser extension|chrome extension|plugin|firmware|screen ?saver|encryption(?: tool)?|"
        rf"metronome|tuner|keylogger|virus|malware|hacking tool|port scanner|load balancer|proxy|"
        rf"file manager|backup tool|dice roller|coin flip(?:per)?|roulette|slot machine|"
        rf"unit conversion)(?:\b(?! (?:list|collection|tracker|inventory|shop|sales)s?)){REST}|"
        rf"(?:converts|convert|calculates|calculate|translates|encrypts|decrypts|compresses|predicts|"
        rf"computes) {REST}|(?:tell|tells|shows?|know|get|see|check)\s+(?:\w+\s+){{0,3}}weather{REST}|"
        rf"weather (?:app|forecast|station app|widget|site|page|website){REST}|translat(?:e|es|"
        rf"ing) (?:text|words|sentences|documents|between|from){REST}|(?:stream|play|record|edit|"
        rf"convert|compress|resize) (?:my |some |the )?(?:music|videos?|audio|songs?|photos?|images?|"
        rf"pdfs?|files){REST}|(?:rename|move|sort|delete|back ?up|clean up) (?:(?:all|my|the) ){{0,3}}(?:files|"
        rf"folders|photos|downloads){REST}|(?:control|automate|hack|switch on|turn on|operate) (?:my |"
        rf"the |our |a )+{REST}",
        extras=(
            rf"(?:(?:it|should|and|automatically|also|which|that|can|to|the app|will) ){{0,4}}(?:calculat|"
            rf"comput)(?:e|es|ing|ed|ion|ions|or) {REST}|automatic(?:ally)? (?:assign|match|plan|schedul|"
            rf"generat|distribut|optimi[sz]|convert|translat|order|rank|calculat|sort into){REST}|"
            rf"route optimi[sz]ation|(?:voice|speech) (?:input|control|output)|"
            rf"qr[- ]?codes?(?: for{REST})?|barcodes|countdown(?: timer)?|(?:pomodoro |"
            rf"cooking )?timers?(?= |$)|stop ?watch|animations?|drag[- ]and[- ]drop|offline mode|"
            rf"spell ?check(?:er|ing)?"
        ),
    ),
    Limit(
        "Writing texts or making pictures for you",
        "write or draw it",
        "apps that keep your own texts",
        heads=(
            rf"(?:write|compose|tell|sing|draw|paint|draft|generate) (?:me |us |up )?(?:an? |some |the |"
            rf"my )?(?:\w+ ){{0,2}}(?:poems?|stor(?:y|ies)|jokes?|songs?|essays?|letters?|e?mails?|novels?|"
            rf"speech(?:es)?|articles?|pictures?|images?|logos?|haikus?|limericks?|summar(?:y|ies)|cvs?|"
            rf"resumes?|cover letters?|tweets?|captions?|slogans?)(?! (?:app|api|list|tracker|collection|"
            rf"website|site|page|archive|database))\b{REST}|(?:summari[sz]e|proofread|correct|explain|"
            rf"paraphrase) (?:this|the|my|these){REST}"
        ),
    ),
    Limit(
        "Doing things out in the world",
        "look for a way",
        "an app in which you plan and note them",
        heads=(
            rf"(?:book|order|buy|reserve|call|phone|find|get|search) (?:me|us|mom|mum|dad|my \w+) {REST}|"
            rf"(?:play|put on) (?:some )?(?:music|a song|songs){REST}|turn (?:on|off) the (?:lights?|"
            rf"heating|tv|music|radio|oven|alarm|lamp){REST}|"
            rf"what is \d{REST}|(?:hack|spy on|ddos|attack|crack) {REST}"
        ),
    ),
    Limit(
        "Working with other services",
        "connect it to them",
        "a CSV export, which most of them can read",
        heads=rf"(?:integrate|connect|sync(?:hroni[sz]e)?) (?:\w+ ){{0,5}}(?:with|to) {REST}",
        extras=(
            rf"(?:(?:it|should|and|which|that|can|to|also|be|the app|must|"
            rf"automatically) ){{0,5}}(?:sync(?:s|ed|ing|hroni[sz]ed?)?|integrat(?:es?|ed|ion|ing)|"
            rf"connect(?:s|ed|ing)?) (?:\w+ ){{0,4}}(?:with|to) (?:my |our |the )?(?:google|outlook|"
            rf"facebook|instagram|whatsapp|slack|excel|zapier|apple|microsoft|notion|trello|airtable|"
            rf"salesforce|strava|fitbit|quickbooks|datev|sap|ical|calendar|phone|bank|other){REST}|"
            rf"google (?:calendar|sheets?|drive|docs)(?: (?:sync|integration|export))?|"
            rf"outlook(?: calendar)?|(?:facebook|instagram|social media) (?:sharing|integration|buttons?|"
            rf"feed)|share (?:it |them )?on (?:facebook|instagram|twitter|whatsapp|social media)|"
            rf"import(?:s|ing)? (?:\w+ ){{0,3}}from (?:excel|google|outlook|facebook|a file){REST}"
        ),
    ),
    Limit(
        "Doing something by itself at set times",
        "set up jobs that run by the clock",
        "a view of what is due, whenever you look",
        extras=(
            rf"(?:automatically )?(?:every|each) (?:hour|night|morning|evening|monday|tuesday|wednesday|"
            rf"thursday|friday|saturday|sunday|minute|week|month|day)(?: at \S+)? automatically{REST}|"
            rf"(?:runs?|running|do this|happens?) (?:every|each|once a|daily|hourly|weekly){REST}|"
            rf"cron(?: job)?s?|at midnight|scheduled jobs?|automatic backups?"
        ),
    ),
    Limit(
        "Different rights for different people",
        "write rules for who may do what",
        "a login, after which people see their own items or everybody's",
        extras=(
            rf"(?:only )?(?:the )?(?:admins?|administrators?|managers?|teachers?|owners?|moderators?|"
            rf"editors?|staff) (?:can|may|should|must|could|to) (?:only )?(?:approve|edit|delete|change|"
            rf"see|manage|moderate|add|confirm|accept){REST}|(?:user )?roles(?: and permissions|"
            rf" and rights)?|permissions|admin(?:istration)? (?:area|panel|page|login|rights|account|"
            rf"interface|section|dashboard|role)s?|(?:with|an?) admin(?:istrator)?s?\b|moderation|"
            rf"approval (?:process|workflow)|approve{REST}"
        ),
    ),
    Limit(
        "A calendar or board to drag things on",
        "write one",
        "lists, sorted by date or filtered by status",
        extras=(
            r"(?:in |on |as |with |and )?(?:an? )?(?:monthly |weekly |shared )?calendar view|(?:in|on|"
            r"as) an? (?:monthly |weekly |shared )?calendar\b|org(?:anisation|anization)?[- ]?charts?|"
            r"flow ?charts?|mind ?maps?|family trees?|kanban(?:[- ](?:board|view|style))?|"
            r"gantt(?: chart)?s?|timeline view|drag(?:gable)? cards"
        ),
    ),
    Limit(
        "Making PDF files, Word files or printed pages",
        "write them",
        "a CSV export and pages that a browser prints",
        heads=rf"pdf (?:generator|maker|creator|editor|converter|merger){REST}",
        extras=(
            rf"(?:(?:it|should|and|which|that|can|to|also|be|generate|create|export|download|print|save|"
            rf"make|as|an?|the|them|invoices?|into|in) ){{0,6}}(?:pdfs?|word (?:files?|documents?)|docx|"
            rf"powerpoint)(?: (?:export|files?|invoices?|download|version|reports?|format)s?)?|"
            rf"print(?:able|ing)? (?:labels|tickets|invoices|receipts|certificates|version){REST}"
        ),
    ),
    Limit(
        "Signing in through other companies, codes by mail, new passwords by mail",
        "connect such a service",
        "a login with a name and a password",
        extras=(
            r"(?:log ?in|sign ?in|login|signin) (?:with|via|through|using) (?:google|facebook|apple|github|"
            r"microsoft|twitter|linkedin|email link)(?: (?:and|or) \w+){0,3}|(?:google|facebook|apple|social|"
            r"github) (?:login|sign ?in|log ?in)|oauth2?|2fa|two[- ]factor(?: \w+)?|(?:forgot(?:ten)? |"
            r"reset )password(?: \w+)?|password reset|email verification|single sign[- ]on|sso"
        ),
    ),
    Limit(
        "More than one language in the app",
        "translate it",
        "the app in English, with your own words for what it keeps",
        heads=rf"translat(?:e|es|ing) (?:(?:the|this|my|whole|entire) ){{0,3}}(?:app|site|website|it|page|"
        rf"everything){REST}",
        extras=(
            r"(?:in|with|for) (?:both )?(?:english|german|french|spanish|italian|dutch|polish|turkish|"
            r"chinese|two|several|multiple|different)(?: (?:and|or|,) \w+)+(?: languages?)?(?=[\s.,]|"
            r"$)(?! (?:name|word)s?)|multi-?lingual|(?:two|several|multiple|different) languages|"
            r"translations into \w+"
        ),
    ),
)
LEADING_WORDS = frozenset(
    "hi hey hello please pls can could would you i we need want like love to build create make write develop design "
    "generate code program me us a an the simple small little nice basic cool new my our own help with some kind of "
    "sort have get give let's lets i'd i'm looking for online web app application website tool that which just it let "
    "should also be able python script fun something somebody someone do set up add turn now cli command line terminal "
    "console utility api rest flask node javascript js".split()
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that was asked for, in the person's words, and the limit that it meets."""

    limit: Limit
    words: str
    is_core: bool

    def sentence(self) -> str:
        return f"{self.limit.what} (“{self.words}”): left out. A model could {self.limit.model}"


def take_limits(sheet: Sheet) -> list[Refusal]:
    """Crosses out what cannot be built. Something is the core if nothing that could be built stands before it."""
    found: list[Refusal] = []
    for limit, pattern, may_be_core in _compiled():
        found += _take(sheet, limit, pattern, may_be_core)
    return sorted(found, key=lambda refusal: not refusal.is_core)


@functools.cache
def _compiled() -> tuple[tuple[Limit, re.Pattern[str], bool], ...]:
    return tuple(
        (limit, re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.MULTILINE), is_head)
        for limit in LIMITS
        for words, is_head in ((limit.heads, True), (limit.extras, False))
        if words
    )


def _take(sheet: Sheet, limit: Limit, pattern: re.Pattern[str], may_be_core: bool) -> list[Refusal]:
    taken = []
    for match in reversed(list(pattern.finditer(sheet.low))):
        before = sheet.low[: match.start()]
        sentence = re.split(r"[.!?\n]", before)[-1]
        core = may_be_core and _only_leads(sentence) and not _said_before(before, sentence)
        if may_be_core and not core:
            continue
        words = " ".join(sheet.text[match.start() : match.end()].split())[:80]
        taken.append(Refusal(limit, words, core))
        sheet.cross_out(match.start(), match.end())
    return taken


def _only_leads(sentence: str) -> bool:
    words = words_of(sentence.replace(KIND, " "))
    return len(words) <= 40 and LEADING_WORDS.issuperset(words)


def _said_before(before: str, sentence: str) -> bool:
    """Whether an earlier sentence already said what shall be built."""
    earlier = before[: len(before) - len(sentence)]
    return KIND in earlier or (
        bool(re.search(r"\b(?:app|api|website|list|tracker|page|tool)\b", earlier)) and bool(find_noun(earlier))
    )
