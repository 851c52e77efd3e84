//! Spelregels in het Nederlands.

use super::texts::{Grammar, Texts};

pub(super) const DUTCH: Texts = Texts {
    grammar: Grammar {
        numbers: [
            "geen", "één", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien",
            "elf", "twaalf",
        ],
        ordinals: ["eerste", "tweede", "derde", "vierde", "vijfde"],
        names: &[
            ("White", "Wit"),
            ("Black", "Zwart"),
            ("Red", "Rood"),
            ("man", "schijf"),
            ("king", "dam"),
            ("frog", "kikker"),
            ("jester", "nar"),
        ],
        plurals: &[
            ("schijf", "schijven"),
            ("dam", "dammen"),
            ("nar", "narren"),
            ("stuk", "stukken"),
            ("zet", "zetten"),
            ("rij", "rijen"),
            ("", "s"),
        ],
    },

    board: "Bord",
    start: "Begin",
    captures: "Slaan",
    promotion: "Promotie",
    end: "Hoe het eindigt",
    draws: "Remise",
    notation: "Notatie",

    and: "en",
    or: "of",
    one_piece: "stuk",
    one_row: "rij",
    one_empty_row: "lege rij",
    one_move: "zet",
    ordinal: "{number}e",
    at_least: "minstens {count}",
    from_or_to: "{from} of {to}",
    from_to: "{from} tot {to}",

    everywhere: "recht of schuin in elke richting",
    diagonally: "schuin in elke richting",
    straight: "recht in elke richting",
    diagonally_forward: "schuin vooruit",
    diagonally_backward: "schuin achteruit",
    sideways: "opzij",
    diagonally_to: "schuin {ahead} naar {aside}",
    straight_to: "recht {ahead}",
    to_side: "naar {aside}",
    forward: "vooruit",
    backward: "achteruit",
    left: "links",
    right: "rechts",

    size: "Het bord heeft {columns} kolommen en {rows} rijen.",
    both_colours: "Er wordt op velden van beide kleuren gespeeld.",
    all_squares: "Er wordt op alle {count} velden gespeeld.",
    every_other: "Er wordt alleen op elk tweede veld gespeeld, {count} in totaal; {corner}.",
    corner_used: "de hoek linksonder doet mee",
    corner_unused: "de hoek linksonder doet niet mee",
    hole: "Eén veld ontbreekt; niets kan erop staan of eroverheen gaan.",
    holes: "{count} velden ontbreken; niets kan erop staan of eroverheen gaan.",
    sizes: "Het kan ook op borden van een andere even maat, van {from}×{from} tot {to}×{to}.",

    sits: "{top} zit boven en gaat omlaag, {bottom} zit onder en gaat omhoog.",
    each_has: "Elke kant heeft {force}{placed}.",
    has: "{side} heeft {force}.",
    drawn_rows: "Van boven naar beneden zijn de rijen {rows}.",
    moves_first: "{side} begint, daarna is om en om de andere kant aan zet.",
    nearest_row: "op de rij die het dichtst bij hem ligt",
    nearest_rows: "op de {count} rijen die het dichtst bij hem liggen",
    in_front: "op {rows} vóór {back}",
    placed: ", {rows}; {between}",
    between_none: "er ligt geen rij tussen",
    between_one: "er ligt één lege rij tussen",
    between_many: "er liggen {count} lege rijen tussen",

    quiet_anywhere: "{who} gaan naar elk leeg veld van het bord.",
    quiet_never: "{who} bewegen alleen om te slaan.",
    quiet_step: "{who} gaan één veld {ways}.",
    quiet_slide: "{who} gaan zoveel lege velden als ze willen {ways}.",
    quiet_leap: "{who} bewegen alleen door {ways} over één buur van hun eigen kant te springen, \
                 naar het lege veld erachter.",
    quiet_limit: "Een {kind} mag hoogstens {count} stille zet achter elkaar doen zolang zijn kant \
                  nog schijven heeft.",
    quiet_limits: "Een {kind} mag hoogstens {count} stille zetten achter elkaar doen zolang zijn \
                   kant nog schijven heeft.",
    captures_never: "Ze slaan nooit.",
    captures_anywhere: "Ze slaan door op een vijandelijk stuk te gaan staan, waar ook op het bord.",
    captures_onto: "Ze slaan door één veld {ways} op een vijandelijk stuk te gaan staan.",
    captures_onto_far: "Ze slaan door van elke afstand {ways} op een vijandelijk stuk te gaan \
                        staan.",
    captures_jump: "Ze slaan door {ways} over een vijandelijk stuk naast zich te springen, naar \
                    het lege veld er vlak achter.",
    captures_jump_far: "Ze slaan door {ways} over een vijandelijk stuk op elke afstand te \
                        springen, met alleen lege velden ervoor, en landen {landing}.",
    lands_anywhere: "op een van de lege velden erachter",
    lands_next: "op het lege veld er vlak achter",
    lands_next_after_king: "op een van de lege velden erachter, maar er vlak achter als het een \
                            dam is en het laatste stuk dat geslagen wordt",
    straight_jump: "Een rechte sprong slaat de velden over waarop niet gespeeld wordt: het \
                    volgende veld in een rij of kolom is twee stappen verder.",
    cannot_take: "{who} kunnen geen {spared} slaan.",

    nothing_captured: "Er wordt nooit geslagen.",
    must_capture: "Wie kan slaan, moet slaan.",
    may_capture: "Slaan mag, maar hoeft niet.",
    huff: "Wie kan slaan maar een andere zet doet, verliest een stuk dat had kunnen slaan: het stuk \
           dat is verzet, op het veld waar het aankomt, of anders het eerste, rij voor rij vanaf \
           linksboven.",
    any_capture: "Kan het op meer dan één manier, dan kies je zelf.",
    must_first: "Je moet {what}.",
    must_then: "Is er dan nog keus, dan moet je {what}.",
    most_pieces: "de slag kiezen die de meeste stukken slaat",
    by_king: "met een dam slaan als een dam het kan",
    most_kings: "de slag kiezen die de meeste dammen slaat",
    kings_first: "de slag kiezen die het eerst een dam slaat",
    most_value: "de slag met de hoogste waarde kiezen, waarbij een dam iets minder waard is dan \
                 twee schijven",
    chain_goes_on: "Een stuk dat geslagen heeft, moet in dezelfde zet verder slaan zolang het kan.",
    chain_may_stop: "Een stuk dat geslagen heeft, mag in dezelfde zet verder slaan of stoppen.",
    removed_at_once: "Elk geslagen stuk gaat van het bord zodra eroverheen is gesprongen.",
    removed_after: "Geslagen stukken gaan van het bord als de zet klaar is; over geen ervan mag \
                    twee keer gesprongen worden.",
    no_turn_back: "Tussen twee sprongen mag een stuk niet recht omkeren.",

    becomes: "Een {kind} die {place} bereikt, wordt een {next}.",
    becomes_for: "Een {kind} van {side} die {place} bereikt, wordt een {next}.",
    on_last_row: "de verste rij",
    on_edge: "een veld waar recht of schuin geen ander veld meer voor ligt",
    ends_there: "Komt hij daar door te slaan, dan is de zet daar afgelopen.",
    goes_on_as_man: "Komt hij daar midden in een slag, dan gaat hij verder als {kind} en \
                     promoveert hij alleen als de zet daar eindigt.",
    goes_on_as_king: "Komt hij daar midden in een slag, dan promoveert hij meteen en gaat hij \
                      verder als {next}.",
    nothing_promoted: "Er is geen promotie.",

    stuck_loses: "Wie aan zet is en geen stukken meer heeft, of er geen kan bewegen, verliest.",
    stuck_wins: "Wie aan zet is en geen stukken meer heeft, of er geen kan bewegen, wint.",
    stuck_counts: "De partij is afgelopen als wie aan zet is niet kan bewegen: de kant met de \
                   meeste stukken wint, welke dat ook is, en bij evenveel is het remise.",
    first_king_wins: "De eerste kant met een promotie wint.",

    repetition: "De partij is remise als dezelfde stand, met dezelfde kant aan zet, voor de \
                 {times} keer op het bord komt.",
    counter_draw: "De partij is remise {when}.",
    counter_stops: "De partij stopt {when}: de kant met de meeste stukken wint, bij evenveel is \
                    het remise.",
    counter_wins: "De partij is uit {when}: de eerste van de twee wint.",
    unless_capture: ", tenzij de kant die aan zet is kan slaan",
    at_once: "en wel meteen",
    after_each: "na {moves} van elke kant{without}",
    after_both: "na {moves} van beide kanten samen{without}",
    without: " zonder {events}",
    a_capture: "een slag",
    a_promotion: "een promotie",
    a_mans_move: "een zet met een schijf",
    in_all: ", met in totaal {pieces} op het bord",
    when: "als",
    while_: "terwijl",
    standing: ", alleen op {squares}",
    one_side: ", {when} één kant {one} heeft{place}",
    each_side: ", {when} elke kant {one} heeft",
    both_sides: ", {when} één kant {one} heeft{place} en de andere {other}",
    among: "{pieces} met daarbij {kinds}",
    no_draws: "Niets maakt de partij vanzelf remise.",

    numbered: "De velden zijn rij voor rij genummerd, te beginnen {corner}.",
    lettered: "Kolommen hebben letters en rijen nummers; {first} is {corner}.",
    row_column: "Velden worden geschreven als rij en kolom, allebei vanaf 0 geteld, te beginnen \
                 linksboven.",
    pdn_type: "In PDN-bestanden heet het spel type {number}; uitslagen zijn daar {results}.",
    results: "Uitslagen worden geschreven als {results}.",
    bottom_left: "linksonder",
    bottom_right: "rechtsonder",
    top_left: "linksboven",
    top_right: "rechtsboven",
};
