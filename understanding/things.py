"""Usual things and what people usually want to know of them, for when they do not say. Data, and how it is read.

A line: names that keep their own word / others | words that mean the first name : fields ; marks.
A field: `*` required, `:type`, `(a/b)` choices, `[1-5]` range, `=` default; its type is else seen from its name.
"""

import functools
from dataclasses import dataclass

from understanding.english import plural

THINGS = """
todo | to do, to-do, todo item, to do item, to-do item, todo entry, todo task : title*, done, due_date ; quick_add
task / chore / errand / assignment : title*, notes, due_date, done
note / memo / reminder / idea / thought : title*, text
book / audiobook / ebook / textbook / novel / comic | reading list, bookshelf, book shelf : title*, author, year
contact / person / friend / neighbour / neighbor / colleague | address book, phone book, phonebook, phone list : \
name*, email, phone, notes
recipe / dish / cocktail / drink | cookbook, cook book, recipe book : title*, ingredients, instructions, servings
expense / cost / spending / bill : description:text*, amount*, category, date=today
income / earning : description:text*, amount*, date=today
transaction / payment : description:text*, amount*, date=today, category
event / concert / meeting / gig / party / show / performance / rehearsal : title*, date*, time, place, description
entry | guestbook, guest book, guestbook entry, guest book entry : name*, message* ; quick_add append_only
post / article / news item / story | blog entry : title*, text*, published:date=today
blog post : title*, text*, published:date=today
comment / reply : name*, comment*
review / rating / testimonial : name*, rating[1-5]*, comment
product : name*, description, price, stock
item / object / belonging : name*, quantity, location, notes
inventory item | inventory, stock item, stock : name*, quantity, location, notes
order / purchase : number, date=today, status(new/paid/sent/done)=new, total, notes
order item / order line : product*, quantity=1, price
customer / client / buyer : name*, email, phone, address, notes
lead / prospect / deal : name*, company, email, status(new/contacted/won/lost)=new, notes
employee / staff member / worker | staff : name*, position, email, phone, start_date
volunteer / helper : name*, email, phone, notes
student / pupil / trainee / participant / attendee / apprentice : name*, email, birthday
teacher / instructor / trainer / coach / tutor : name*, email, subject
course / workshop / seminar / training : title*, teacher, start_date, description
school class | class : name*, teacher, room
lesson : title*, date, notes
grade / exam / test result : student*, subject, grade, date
homework / school task : title*, subject, due_date, done
subject / topic : name*, description
habit / routine : name*, frequency(daily/weekly/monthly)=daily, notes
bookmark / favourite link / link : title*, url*, notes
movie / film / series / documentary | watchlist, watch list : title*, director, year, watched
song / track / tune : title*, artist, album, year
album / record / vinyl record / cd / vinyl : title*, artist, year, genre
author / writer : name*, birthday, notes
band / artist / musician : name*, genre, website
game / board game / video game / boardgame : title*, platform, rating[1-5], finished
match / fixture / race / tournament : opponent*, date*, place, result
player / athlete : name*, position, birthday
team : name*, coach, notes
invoice : number*, customer*, amount*, issue_date=today, due_date, paid
quote / offer / estimate : number*, customer*, amount*, date=today, accepted
appointment / consultation : name*, date*, time*, notes
booking / reservation / rental : name*, email, date*, time, notes
booking request / reservation request : name*, email*, date*, notes
member / subscriber / supporter / donor : name*, email, phone, joined:date=today
pet / animal / dog / cat / horse : name*, species, birthday, notes
plant / tree / flower / seed / houseplant / vegetable : name*, location, last_watered, notes
workout / exercise / training session / run / ride : name*, date=today, minutes, notes
meal / breakfast / lunch / dinner : name*, date=today, calories, notes
vote | poll, voting, ballot, poll vote, straw poll : choice:text*, name, comment ; quick_add append_only
survey answer / answer / survey response | survey, questionnaire : name, answer* ; append_only
question / quiz question / faq | quiz : question:text*, answer
suggestion / complaint / feedback message / wish / proposal | feedback, suggestion box : title*, details ; quick_add
ticket / support ticket / issue / bug / fault / defect / repair : \
title*, details, status(open/in progress/done)=open, priority(low/medium/high)=medium
project / client project / job : name*, description, status(planned/active/done)=planned
goal / milestone / target / objective / resolution | bucket list : title*, due_date, done
car / vehicle / bike / bicycle / motorbike / boat : name*, registration, mileage, next_service
trip / journey / holiday / vacation / tour / hike : title*, place, start_date, end_date, notes
place / location / restaurant / cafe / hotel / spot : name*, address, website, rating[1-5], notes
room / apartment / flat / house / property / office / desk : name*, address, price, description
tenant / landlord / resident : name*, email, phone, move_in_date
loan : item*, borrower*, lent_on, returned
debt / iou : name*, amount*, date=today, paid_back
medicine / medication / drug / supplement / vaccine | meds : name*, dose, time, notes
symptom / pain entry : name*, date=today, severity(mild/medium/strong), notes
patient : name*, birthday, phone, notes
doctor / dentist / vet : name*, address, phone
time entry | hour, hours, working hour, work hour, timesheet, time sheet, working time, \
time tracker, time tracking, time log : \
task*, date=today, hours*, notes
shift / duty : name*, date*, start_time, end_time
child / kid / baby : name*, birthday, notes
pickup / pick-up : child*, person, time, notes
gift / present / wish list item / wishlist item | wish list, wishlist, gift idea : name*, url, price, bought
shopping item / grocery / grocery item / shopping list item | shopping list, shopping, groceries : \
name*, quantity, bought ; quick_add
guest / invitee / rsvp : name*, email, number_of_people=1, attending
donation / contribution : name*, amount*, date=today, message
job application / application | job search : \
company*, position, applied_on, status(applied/interview/offer/rejected)=applied
vacancy / opening / job offer / job listing / job posting : title*, company, place, description
candidate / applicant : name*, email, position, status(new/interview/hired/rejected)=new
registration / signup / sign-up / enrolment / enrollment : name*, email*, notes
message / enquiry / inquiry | contact form, contact request, contact message : name*, email*, message* ; append_only
announcement / notice / news post / bulletin : title*, text*, date=today
journal entry / diary entry | diary, journal, logbook, log, log entry : date=today, title*, text
measurement / reading / weight entry / sample : value:number*, unit, date=today, notes
photo / picture / image / painting / drawing / artwork : title*, url, description
video / podcast / episode / talk / lecture : title*, url, description
document / contract / certificate : title*, number, date, notes
asset / device / machine / tool / computer / laptop / equipment : name*, serial_number, location, notes
supplier / vendor / company / partner / manufacturer / business / organisation / organization : \
name*, email, phone, website
category / tag / label / genre / department : name*, description
ingredient / spice : name*, quantity, unit
wine / beer / whisky / whiskey / coffee / tea / cheese : name*, producer, year, rating[1-5], notes
collectible / coin / stamp / card / figure / antique / toy : name*, year, condition, value
quotation / saying / joke / poem / fact : text*, author
word / vocabulary word / flashcard / translation | vocabulary, flash card : word*, meaning, example
account / membership account : name*, email, notes
subscription / membership / insurance : name*, price, renewal_date, notes
score / result / high score : name*, points*, date=today
delivery / parcel / package / shipment : recipient*, address, date, delivered
menu item : name*, description, price
campaign / newsletter : title*, start_date, status(planned/running/done)=planned
visit / visitor : name*, date=today, time, reason
step / instruction : title*, description
packing item | packing list : name*, quantity, packed ; quick_add
garden bed / bed / field plot / plot / greenhouse : name*, location, notes
hive / beehive / colony : name*, location, last_checked, notes
instrument / guitar / piano : name*, maker, condition, notes
clothing item / outfit / garment / clothes / shoe : name*, size, colour, season
service / treatment : name*, description, price
branch / store branch / shop branch : name*, address, phone
"""
NATURAL_PARENTS: dict[str, tuple[str, ...]] = {
    "comment": ("post", "blog_post", "article", "photo", "recipe", "idea", "suggestion", "story"),
    "reply": ("comment", "post", "question", "message"),
    "review": ("book", "product", "movie", "recipe", "place", "restaurant", "game", "course", "film", "album", "hotel"),
    "rating": ("book", "product", "movie", "recipe", "place", "restaurant", "game", "film", "wine"),
    "order_item": ("order",),
    "order": ("customer", "client"),
    "invoice": ("customer", "client"),
    "answer": ("question",),
    "lesson": ("course",),
    "episode": ("series", "podcast"),
    "song": ("album",),
    "grade": ("student", "pupil"),
}
"""What belongs to what when both are asked for and nothing else is said."""
PLACES: dict[str, tuple[str, ...]] = {
    "product": ("shop", "store", "webshop", "online shop", "boutique", "kiosk", "market", "bookshop", "bookstore"),
    "member": ("club", "association", "society", "gym", "team", "choir", "church", "community", "union", "league"),
    "student": ("school", "university", "college", "academy", "driving school"),
    "child": ("kindergarten", "nursery", "daycare", "day care", "preschool"),
    "booking": ("hotel", "hostel", "bnb", "guest house", "guesthouse", "holiday flat", "holiday home", "campsite"),
    "reservation": ("restaurant", "cafe", "bar", "pub", "bistro", "diner", "pizzeria"),
    "book": ("library",),
    "appointment": ("salon", "barber", "practice", "clinic", "surgery", "hairdresser", "spa"),
    "order": ("bakery", "print shop", "florist", "butcher", "takeaway", "food truck"),
    "customer": ("business", "company", "agency", "startup", "firm", "garage", "freelancer"),
    "post": ("blog", "magazine"),
    "guest": ("wedding", "party", "celebration"),
    "task": ("family", "household", "home", "office", "flatshare", "flat share", "shared flat"),
    "animal": ("farm", "zoo", "animal shelter", "shelter", "stable"),
    "plant": ("garden", "allotment", "greenhouse"),
    "participant": ("festival", "camp", "tournament", "conference", "fair", "summer fair", "marathon", "hackathon"),
    "exhibit": ("museum", "gallery", "exhibition"),
}
"""Places and groups, and what is most likely kept for one of them."""
PLACES_WITHOUT_A_GUESS = frozenset(
    "street village town neighbourhood neighborhood building house room cellar kitchen band studio brigade "
    "department organisation organization charity cooperative co-op group circle troop choirs orchestra theatre "
    "theater ensemble crew squad class yard attic basement warehouse lab laboratory project-team branch ward "
    "hospital parish council holiday weekend summer winter spring autumn birthday christmas lake dinner flat "
    "residence dorm fire pet-sitting firm salon".split()
)


@dataclass(frozen=True, slots=True)
class Thing:
    """A usual thing: its name in words, and its fields in the notation of THINGS."""

    name: str
    fields: tuple[str, ...]
    marks: frozenset[str]


@functools.cache
def things() -> dict[str, Thing]:
    """By every word that means one, in the singular and the plural."""
    found: dict[str, Thing] = {}
    for row in THINGS.strip().splitlines():
        named, _, rest = row.partition(" : ")
        fields, _, marks = rest.partition(" ; ")
        own, _, others = named.partition(" | ")
        names = [name.strip() for name in own.split(" / ")]
        parts = tuple(part.strip() for part in fields.split(", "))
        for name in names:
            _enter(found, name, Thing(name, parts, frozenset(marks.split())))
        for other in filter(None, (word.strip() for word in others.split(", "))):
            _enter(found, other, found[names[0]])
    return found


def _enter(found: dict[str, Thing], word: str, thing: Thing) -> None:
    found.setdefault(word, thing)
    found.setdefault(plural(word), thing)


@functools.cache
def places() -> dict[str, str]:
    """Each place with what is most likely kept for it; empty where nobody could guess."""
    known = {place: thing for thing, names in PLACES.items() for place in names}
    return {
        **dict.fromkeys(PLACES_WITHOUT_A_GUESS, ""),
        **known,
        **{plural(place): thing for place, thing in known.items()},
    }


def thing_for(noun: str) -> Thing | None:
    """The usual thing that a noun is, or is a sort of: a `street party` is an event as a `party` is."""
    words = noun.lower().split()
    for start in range(len(words)):
        found = things().get(" ".join(words[start:]))
        if found is not None:
            return found
    return None
