//! English words that bound, spoil or weaken a noun phrase. The extractor has no part-of-speech tagger: closed
//! classes are listed here, open ones are judged by their spelling and by how the corpus uses them.

use std::collections::HashSet;
use std::sync::LazyLock;

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

/// Function words, adverbs and auxiliary verbs: no term contains them.
pub(crate) static FUNCTION: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set("a an the this that these those such same other others another any each every either neither both all some no none few
    several many much more most less least enough certain various own
    i we you he she it they me us him her them my our your his its their mine ours yours theirs itself themselves himself herself
    who whom whose which what whatever whichever whoever when where why how whether
    of in on at by for to from with without within into onto upon over under between among amongst against during before after
    since until till about above below across along around behind beside besides beyond despite down up off out near per through
    throughout toward towards via regarding concerning pursuant notwithstanding according including excluding except unless
    and or nor but so yet if then else because although though while whereas as than like unlike
    is are was were be been being am has have had having do does did done doing
    shall must may might can could will would should ought cannot
    not never always often sometimes usually generally typically also only just even still already again further furthermore moreover
    however therefore thus hence thereby therefore thereof therein thereto thereunder thereafter hereof herein hereby hereunder
    hereinafter whereby wherein whereof otherwise instead rather quite very too well almost nearly especially particularly mainly
    there here now once ever soon later earlier elsewhere together apart away back forth ahead aside instead
    respectively accordingly consequently likewise similarly namely notably inter alia mutatis mutandis et al ie eg etc viz vs cf ibid
    yes no ok please thank thanks
    one two three four five six seven eight nine ten eleven twelve first second fourth fifth sixth last next
    former latter following preceding aforementioned abovementioned said mentioned referred
    due based given regardless irrespective able unable likely unlikely willing
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december
    insofar inasmuch vis lieu accordance whereupon hereto hitherto amid amidst versus plus minus
    mr mrs ms dr st re pp seq idem supra infra sic nb")
});

/// Verbs in their usual forms. Those that are nouns as well ("use", "transfer") count as nouns where the corpus
/// says so.
pub(crate) static VERB: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set("accept accepts accepting accompany accompanies achieve achieves achieving achieved acquire acquires add adds adding added adjust adjusts adopt
    adopts adopting adopted affect affects affecting affected allow allows allowing allowed amend amends amending amended appear appears apply applies
    applying applied appoint appoints appointing arise arises arising ask asks asked assess assesses assessing assume assumes assuming
    assumed avoid avoids avoiding base become becomes becoming became begin begins believe believes belong belongs belonging bring brings bringing brought
    calculate calculates calculating call calls called carry carries carrying carried cause causes causing caused cease ceases choose chooses
    come comes coming came communicate communicates comply complies complying complied comprise comprises comprising conclude concludes concluded conduct conducts
    conducting conducted confirm confirms confirming confirmed consider considers considering considered consist consists consisting
    constitute constitutes constituting contain contains containing contained continue continues continuing continued contribute contributes
    cooperate cooperates correspond corresponds cover covers covering covered create creates creating created deal deals decide decides decided deem deems deemed define defines defining
    demonstrate demonstrates demonstrating demonstrated depend depends depending derive derives describe describes describing described
    determine determines determining determined develop develops developing developed differ differs discuss discusses discussed disclose discloses disclosed draw draws drawing drawn
    enable enables enabling enabled encourage encourages encouraging encouraged enhance enhances enhancing ensure ensures ensuring ensured enter enters entering entered
    entitle entitles entitled establish establishes establishing established evaluate evaluates evaluating evaluated examine examines exceed exceeds exceeding exercise exercises exercising
    exist exists existing expect expects expected explain explains explaining explained extend extends facilitate facilitates facilitating
    fail fails failed fall falls falling find finds finding found follow follows followed fulfil fulfils fulfilling fulfilled function
    get gets give gives giving given go goes going gone grant grants granting granted happen happens help helps helping hold holds held identify
    identifies identifying identified illustrate illustrates implement implements implementing implemented imply implies impose imposes imposing imposed
    improve improves improving improved include includes included incorporate incorporates increase increases increasing increased indicate indicates indicating indicated inform informs
    informing informed initiate initiates intend intends intended introduce introduces introduced involve involves involving involved issue issues issuing issued justify justifies justified keep
    keeps keeping kept know knows knowing known lay lays laid lead leads led leave leaves let lets lie lies look looks looking lose loses lost
    maintain maintains maintaining maintained make makes making made meet meets meeting met
    need needs needed notify notifies notifying notified obtain obtains obtaining obtained occur occurs occurring occurred offer offers offered perform performs
    performing performed permit permits permitted pertain pertains place places placing placed pose poses posed prepare prepares preparing prepared prescribe prescribes present presents prevent prevents preventing
    prevented proceed produce produces producing produced prohibit prohibits promote promotes promoting promoted propose proposes prove proves provide provides providing provided publish
    publishes publishing published put puts putting raise raises raised reach reaches reached read reads receive receives receiving received recognise recognises recognize recommend recommends
    recommended reduce reduces reducing reduced refer refers referring reflect reflects reflecting reflected regard regards regarded relate relates relating related rely
    relies relying remain remains remaining remedy remind remove removes removed render renders replace replaces replaced represent represents representing represented request requests requested requesting require requires requiring
    required resolve resolves respond responds restrict result results resulting resulted retain retains retained revise rise rises rising
    satisfy satisfies satisfied say says see sees seen seek seeks seeking seem seems select selects selected send sends sent serve serves serving set sets setting show shows showing
    shown specify specifies specifying specified start starts started state states stated stem stems stop strengthen strengthens submit submits submitting submitted suggest suggests
    support supports supporting supported take takes taking taken tend tends think treat treats treated try turn turns undergo undergoes
    underlie underlies underlines understand understands understood undertake undertakes undertaken use uses used using verify verifies vary varies want wants wish wishes work works worked
    write writes written comment comments commented exercised benefit benefits encounter encounters
    address addresses addressed addressing allocate allocates allocated analyse analyses analyze analyzes arrange arranges assign assigns assigned attach attached attribute attributed capture captures captured
    characterise clarify clarifies clarified collect collects collecting collected compare compares compared compile consult consults consulted correct
    deliver delivers delivered deny depict deploy derived detect detects detecting deviate direct directs discover distinguish distribute divide document documents documenting documented draft
    elaborate eliminate employ employs employed encompass encompasses enforce enforces ensue entail entails estimate estimates estimated
    exclude excludes excluded execute executes expand exposes exposed express expresses expressed file files filed fit focus focuses focusing foresee foreseen formulate forward gather generate generates generated guarantee handle handles
    highlight highlights identifiable impact inspect instruct integrate interpret interpreted invite invites invited judge launch limit limits list lists listed
    manage manages managing mean means measure mitigate mitigates mitigating monitor monitors move note notes noted observe observes observed open operate operates operating outline outlines outlined outweigh overrides
    participate participates pass pay pays paid plan plans point points prefer preserve process processes processed proceed pursue pursues pursued quantify
    question range rank recall record records recorded recover refuse refuses refused register reject remedy repeal report reports reported resemble review reviews reviewed reviewing run runs safeguard
    scale share shares shared solve sound suffer suffers suffered summarise surround suspend tailor target test tests tested threaten transfer transfers transferred transmit transmits transmitted update updates updated warrant withdraw withdraws withstand yield
    ensuring taking making having being giving going doing saying seeing regarding relating pertaining
    accordingly hereby adhere adheres adhering appreciate exercise aim aims aiming aimed attempt attempts designed located situated lodged lodge lodges bound carried thereto hear heard prejudice prejudiced laying drawn concerned conferred")
});

/// Nouns and modifiers that say something only together with others: never a term alone.
pub(crate) static GENERIC: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set("ability absence access account accuracy act action activity addition advice age agency agreement aim allocation amount analysis answer application approach area argument
    arrangement aspect assessment assistance attempt attention authority availability average award background balance basis beginning behaviour being belief benefit bit body
    board box branch building business capacity care case category cause center centre chain challenge chance change channel character characteristic choice circumstance
    citizen city claim clarity class clause client code collection combination comment commission commitment committee communication community company comparison competence completion complexity component concept
    concern conclusion condition conduct confidence connection consequence consideration consistency constraint content context contract contribution control cooperation copy cost council country
    course court coverage creation criterion customer cycle damage danger data database date day deadline debate decision default definition degree delay delivery demand department description
    design destruction detail detection determination development difference difficulty dimension direction director disadvantage discretion discussion distinction distribution diversity division document doubt draft duration duty
    ease economy effect effectiveness efficiency effort element emphasis employee employment end entirety entity entry environment error establishment estimate evaluation event evidence evolution example exception
    exclusion execution exercise existence expectation expense experience expert explanation extension extent fact factor failure feature feedback field figure file finding firm focus force form format foundation
    framework frequency function future gap goal good government ground group growth guidance guideline half hand head heading help history home hour house idea identification identity impact implementation implication importance improvement
    incident inclusion increase indication individual industry influence information infringement initiative input instance institution instruction integration intent intention interaction interest interpretation introduction investigation involvement issue item
    job judgement judgment justification key kind knowledge labour lack language law layer lead leader legislation length letter level life light limit limitation line link list literature location logic look loss lot
    maintenance majority making man management manager manner mandate margin market material matter maximum meaning means measure measurement mechanism meeting member membership message method methodology middle mind minimum minority mix mode model moment month motion movement
    name nation nature necessity need network norm note notice notion number object objective objection obligation observation occasion occurrence office officer official operation operator opinion opportunity opposite option order organisation organization origin outcome output outset overview owner ownership
    page pair panel paper paragraph part participant participation party passage past path pattern people percent percentage performance period permission person personnel perspective phase phrase piece place plan planning play point policy population position possibility practice precision preference preparation presence present presentation pressure principle priority private problem procedure process product production professional proficiency profile program programme progress project proof property proportion proposal prospect protection provider provision public publication purpose
    quality quantity quarter question range rate ratio reader reality reason reasoning recipient recommendation record recovery reduction reference reflection refusal regard regime region register regulation regulator rejection relation relationship relevance reliability reliance remainder removal report reporting representation representative reputation request requirement research reservation resolution resource respect respondent response responsibility restriction result return review right rise role room route rule run
    safety sample scale scenario schedule scheme scope score second secretariat sector security selection sense sentence separation sequence series service session set setting share side sign significance site situation size society solution sort source space specialist specification specificity speech speed staff stage standard start state statement status step storage strategy strength stress structure student study style subject subset success suitability sum summary supervision supervisor supplement supply support system
    table talk target task team technique technology template term territory test text theme theory thing third thought threat threshold time timeframe timeline timing title today tool top topic total town trade tradition training transition treatment trend trial trust truth turn type uncertainty understanding undertaking union unit update usage use user validity value variable variation variety version view violation voice volume way weakness week weight whole will wish word work worker workforce workplace world year zone
    adequacy behalf carrying chair clause composite perimeter writing appendix annex article chapter directive figure footnote heading paragraph part point recital section sentence subparagraph subsection title volume page line item
    regulation union member exercise hereof whereas decision question examiner bank booklet handbook manual
    power freedom offence amendment penalty judicial satisfactory deficient
    purpose view light relation regard respect order accordance pursuance basis")
});

/// Modifiers that add nothing: a phrase that begins with one is read without it.
pub(crate) static EMPTY_MODIFIER: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set("relevant appropriate necessary specific particular different respective additional adequate sufficient suitable proper possible potential actual
    current previous subsequent prior present new old good better best great greater greatest high higher highest low lower lowest large larger largest small smaller smallest long longer short shorter
    main major minor important significant similar equivalent equal comparable corresponding concerned applicable available responsible
    full entire whole overall general common usual normal typical whole single sole individual separate mere clear concrete detailed
    reasonable meaningful useful effective efficient timely prompt early late recent ongoing continuous regular periodic frequent special
    serious severe undue sound strong weak wide wider broad broader narrow extensive comprehensive consistent coherent accurate complete
    key essential fundamental crucial vital critical ultimate initial original final eventual
    aforesaid above-mentioned so-called non mere own further such-like alternative mutual natural-born wide-ranging underlying
    multiple numerous manifold diverse varying existing proposed intended remaining resulting increasing growing certain sure true
    explicit implicit likely prudent robust draft")
});

/// Words that belong to the document's own structure: no phrase contains them.
pub(crate) static STRUCTURE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set("article articles paragraph paragraphs subparagraph subparagraphs section sections subsection chapter chapters annex annexes appendix recital recitals
    point points heading footnote footnotes page pages figure figures table tables title sentence sentences indent volume booklet
    oj ecr eu ec eec no nos pdf www http https com org gov html ibid version")
});

/// Heads that make "X of Y" a phrase about Y and not a term.
pub(crate) static LIGHT_HEAD: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set("category categories class classes exchange flow month week year prevention prosecution execution offering enforcement
    number case cases part parts set sets type types kind kinds form forms basis means purpose purposes point lack range variety amount result results light view absence
    event course context majority minority level levels degree extent nature scope area areas field fields example examples list copy copies date end beginning start use
    terms term respect regard relation favour place time times period periods way ways manner light matter matters question questions view behalf virtue virtue group groups
    series sort sorts aspect aspects element elements member members per cent sum total rest remainder half top bottom side edge exercise importance application
    existence occurrence presence interest interests case instance understanding provision performance one both all any each some none majority carrying receipt
    sake ground grounds reason reasons conditions condition effect effects impact outcome possibility need likelihood state size value content contents
    name names details detail purposes subject meaning definition identification appropriateness adequacy effectiveness quality head heads department office")
});

/// Words on `-ly` that are nouns or adjectives.
pub(crate) static LY_NOUN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        "family supply assembly anomaly monopoly reply ally daily monthly quarterly weekly yearly early friendly costly bodily fly italy july",
    )
});

/// Nouns that are spelt like adjectives.
pub(crate) static NOUN_LIKE_ADJECTIVE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set("directive initiative objective derivative incentive executive representative alternative perspective archive motive collective narrative relative operative
    proposal approval capital appeal withdrawal refusal denial disposal individual principal official manual professional credential arrival removal renewal trial referral
    portal goal signal deal journal terminal interval material potential rival tribunal criminal festival hospital animal metal appraisal reversal dismissal rental
    survival credentials fundamentals retrieval accrual differential residual acquittal
    public topic traffic logic statistic metric characteristic clinic critic mechanic republic ethic graphic music basic fabric
    subsidiary intermediary beneficiary summary glossary library boundary salary secretary treasury dictionary commentary depositary signatory fiduciary judiciary adversary
    table variable receivable payable deliverable vegetable cable
    liability cable rule schedule module vehicle title article
    bonus status consensus surplus census virus focus nexus locus apparatus prospectus stimulus campus corpus
    business witness process access success loss address press mass class pass stress illness weakness fairness awareness effectiveness completeness readiness")
});

/// Adjectives without a telling ending: no phrase ends with one.
pub(crate) static ADJECTIVE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set("competent independent transparent consistent efficient sufficient equivalent recent current permanent present relevant significant important compliant resilient prudent inherent pertinent
    adequate appropriate accurate separate private corporate legitimate ultimate proportionate immediate deliberate disproportionate aggregate alternate intermediate
    high low large small long short new old good bad great full free clear open strong weak wide broad narrow deep hard soft fair true false real main major minor
    natural legal lawful unlawful personal sensitive genetic biometric electronic automated manual joint single double prior further other same whole
    european national international local foreign domestic external internal interim
    concrete complete discrete definite infinite favourite remote secure mature obscure sole
    necessary ordinary primary secondary temporary voluntary contrary arbitrary binary preliminary supplementary monetary disciplinary
    public safe sound sure quick slow rapid timely lively orderly costly likely friendly
    human modern common certain uncertain foreign sovereign
    available reasonable applicable able capable responsible possible
    due null void valid invalid void solid liquid rigid explicit implicit
    better best worse worst higher highest lower lowest larger largest greater greatest smaller smallest longer shorter wider broader
    online offline onsite offsite nationwide worldwide ongoing upcoming
    non sub pre post quasi semi multi cross anti inter intra
    so-called up-to-date well-known day-to-day")
});

/// What an act says in its set phrases: the institutions of its legislator and the parts of its own procedure. Neither is
/// a term of the field that it regulates.
pub(crate) static BOILERPLATE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    [
        "member state",
        "european parliament",
        "european union",
        "european community",
        "european council",
        "european commission",
        "official journal",
        "official gazette",
        "federal register",
        "statutory instrument",
        "subject matter",
        "case law",
        "union law",
        "community law",
        "national law",
        "federal law",
        "state law",
        "domestic law",
        "union institution",
        "union act",
        "legal act",
        "legislative act",
        "legislative procedure",
        "legislative measure",
        "implementing act",
        "delegated act",
        "examination procedure",
        "advisory procedure",
        "ordinary legislative procedure",
        "entry into force",
        "legal basis",
        "time limit",
        "time period",
        "wide range",
        "united states",
        "united kingdom",
    ]
    .into_iter()
    .collect()
});
