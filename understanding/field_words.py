"""Words by which people name what is known of a thing, and what type of value each of them means. Data only."""

from contracts.app_spec import FieldType

LAST_WORDS: dict[FieldType, str] = {
    FieldType.MONEY: "price cost costs amount salary wage wages fee fees rent budget total subtotal balance deposit "
    "payment revenue income expense tip fare donation debt worth earnings profit premium pay cash allowance "
    "instalment installment spending prize-money fine",
    FieldType.INTEGER: "quantity qty year pages age count stock capacity seats rooms bedrooms bathrooms guests people "
    "persons children kids adults calories reps sets minutes mins seconds servings portions mileage votes likes points "
    "players participants attendees goals wins losses draws laps episodes seasons chapters rank days weeks "
    "months years copies tickets places spots helpers floors doors visitors visits rating stars runs assists "
    "minimum maximum followers subscribers downloads views nights beds frames eggs bottles boxes pieces units bags",
    FieldType.NUMBER: "weight height width length depth distance temperature hours area percentage percent score speed "
    "latitude longitude discount volume gpa humidity value km kilometers kilometres miles kg grams litres liters "
    "meters metres pressure density measurement average rate pace circumference dosage amps volts watts kwh",
    FieldType.DATE: "date birthday deadline until dob anniversary expires expiry due arrival departure checkin "
    "checkout birthdate day expiration",
    FieldType.TIME: "time",
    FieldType.YES_NO: "done paid active completed finished available attending confirmed approved published returned "
    "vegetarian urgent important favourite favorite archived cancelled canceled borrowed sold shipped delivered "
    "checked verified enabled bought packed owned watched visited vaccinated neutered complete read answered "
    "resolved solved accepted signed booked invited present absent billable billed refunded insured listened cooked "
    "recurring mandatory fragile reserved washed planted harvested cleaned fixed repaired featured y/n handed-in rsvp",
    FieldType.EMAIL: "email e-mail mail emails",
    FieldType.URL: "website url link homepage webpage links web-address",
    FieldType.LONG_TEXT: "description notes note comment comments message body content text ingredients instructions "
    "steps method details bio biography remarks remark summary feedback story lyrics preparation directions "
    "thoughts requirements symptoms agenda review explanation observations observation plot synopsis reflection "
    "abstract allergies todos answer",
}
TEXT_WORDS = frozenset(
    "name title author artist album genre director publisher isbn firstname lastname surname nickname username phone "
    "telephone mobile address street city town country zip postcode zipcode postal company department "
    "position role job brand model make color colour size material species breed category type kind topic subject "
    "location place room floor building owner teacher pupil student customer client supplier vendor manufacturer "
    "status priority stage level difficulty gender language label tag tags keyword unit sku barcode code number "
    "reference photo image picture logo icon organizer organiser host venue band team opponent club league player "
    "coach doctor patient vet responsible assignee assigned borrower lender guest child parent mother father contact "
    "vineyard vintage region grape dish cuisine diet course grade mark instructor trainer station sensor device "
    "currency account iban bank job-title occupation hobby hobbies interests skill skills mood weather sender "
    "recipient reason cause purpose result outcome winner loser shift slot table seat plate registration serial "
    "shelf sun light soil watering condition format platform console system version abbreviation motto slogan "
    "destination origin route driver vehicle car bike wheel pattern yarn needle scale symptom diagnosis medicine "
    "drug treatment hotel airline flight airport crew initials maiden suffix prefix salutation house narrator series "
    "editor illustrator translator edition volume-number isbn-number id-number state province county district "
    "comment-text headline caption question option answer-text quote".split()
)
"""Words that are certainly of a field, and plain text."""
CHOICES: dict[str, tuple[tuple[str, ...], str | None]] = {
    "priority": (("low", "medium", "high"), "medium"),
    "urgency": (("low", "medium", "high"), "medium"),
    "difficulty": (("easy", "medium", "hard"), None),
    "status": (("open", "in progress", "done"), "open"),
    "weekday": (("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"), None),
}
"""Fields whose values everybody would guess, and the one that a new item has."""
CHOICE_NAMES = frozenset(
    "status priority urgency category type kind size color colour level state shift mood difficulty genre gender stage "
    "result outcome diet frequency severity rank grade currency language season weekday role department condition "
    "cuisine species breed format platform method mode region place position course team answer vote option plan "
    "tier".split()
)
PREFIXES_OF_YES_NO = frozenset(
    "is are has have can was were needs need wants want contains includes allows should will does did whether if "
    "requires accepts offers".split()
)
NUMBERS_IN_TEXT = frozenset(
    "phone telephone mobile invoice order room house account serial card flight customer member model part batch fax "
    "ticket tracking registration license licence passport insurance table reference track jersey shirt id isbn "
    "contact bank tax vat student employee patient case file contract article item plate cell whatsapp locker".split()
)
"""Before `number`: what follows is a code, not something to count with."""
DURATIONS = frozenset(
    "cooking prep preparation baking total running travel waiting playing cook brewing needed".split()
)
"""Before `time`: minutes, not a time of day."""
EXPLICIT: dict[str, FieldType] = {
    "text": FieldType.TEXT,
    "string": FieldType.TEXT,
    "short text": FieldType.TEXT,
    "long text": FieldType.LONG_TEXT,
    "textarea": FieldType.LONG_TEXT,
    "paragraph": FieldType.LONG_TEXT,
    "multiline": FieldType.LONG_TEXT,
    "number": FieldType.NUMBER,
    "numeric": FieldType.NUMBER,
    "decimal": FieldType.NUMBER,
    "float": FieldType.NUMBER,
    "integer": FieldType.INTEGER,
    "int": FieldType.INTEGER,
    "whole number": FieldType.INTEGER,
    "yes/no": FieldType.YES_NO,
    "yes or no": FieldType.YES_NO,
    "yes no": FieldType.YES_NO,
    "y/n": FieldType.YES_NO,
    "true/false": FieldType.YES_NO,
    "true or false": FieldType.YES_NO,
    "boolean": FieldType.YES_NO,
    "bool": FieldType.YES_NO,
    "checkbox": FieldType.YES_NO,
    "tick box": FieldType.YES_NO,
    "date": FieldType.DATE,
    "day": FieldType.DATE,
    "time": FieldType.TIME,
    "email": FieldType.EMAIL,
    "email address": FieldType.EMAIL,
    "url": FieldType.URL,
    "link": FieldType.URL,
    "money": FieldType.MONEY,
    "euro": FieldType.MONEY,
    "euros": FieldType.MONEY,
    "eur": FieldType.MONEY,
    "dollars": FieldType.MONEY,
    "usd": FieldType.MONEY,
    "pounds": FieldType.MONEY,
    "gbp": FieldType.MONEY,
    "currency": FieldType.MONEY,
}
