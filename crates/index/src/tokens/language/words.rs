//! The words of each language that say little by themselves, folded, contractions without their apostrophe.

/// English.
pub(super) const ENGLISH: &str = "a about above after again against aint all also am an and any are arent as at be because been before \
    being below between both but by can cannot cant could couldnt did didnt do does doesnt doing dont \
    down during each few for from further had hadnt has hasnt have havent having he her here hers \
    herself him himself his how i if in into is isnt it its itself just may me might more most must \
    mustnt my myself no nor not of off on once only or other ought our ours ourselves out over own same \
    shall she should shouldnt so some such than that the their theirs them themselves then there these \
    they this those through to too under until up us very was wasnt we were werent what when where which \
    while who whom whose why will with wont would wouldnt you your yours yourself yourselves";

/// German.
pub(super) const GERMAN: &str = "aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist \
    da damit dann das dass dein deine dem den denn der des dich die dies diese dieser dieses dir doch \
    dort du durch ein eine einem einen einer eines er es etwas euch euer fur gegen habe haben hat hatte \
    hatten hier ich ihm ihn ihnen ihr ihre im in ist ja jede jeder jedes jetzt kann kein keine man mein \
    meine meinem meinen meiner mich mir mit muss nach nicht nichts noch nun nur ob oder ohne schon sehr \
    sein seine seinen seiner sich sie sind so soll uber um und uns unser unter viel vom von vor wann war \
    waren warum was weil welche welcher wenn wer werde werden wie wieder will wir wird wo wurde zu zum \
    zur zwischen";

/// Spanish.
pub(super) const SPANISH: &str = "a al algo ante antes aquel aqui asi aunque cada como con contra cual cuales cuando cuanto de del \
    desde despues donde e el ella ellas ellos en entre era eran eres es esa ese eso esos esta estaba \
    estan estar este esto estos estoy fue fueron ha haber habia hace han hasta hay he hemos la las le \
    les lo los mas me mi mis mucho muy nada ni no nos nosotros nuestra nuestro o otra otro para pero \
    poco por porque que quien quienes se sea ser si sido sin sobre son soy su sus tambien tan tanto te \
    tengo tiene tienen toda todo todos tu tus un una uno unos usted y ya yo";

/// French.
pub(super) const FRENCH: &str = "a ai ainsi alors apres au aucun aussi autre aux avait avant avec avoir c ce cela ces cet cette chez \
    comme d dans de des donc du elle elles en encore entre est et etait etaient ete etes etre eu il ils \
    j je l la le les leur leurs lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par \
    pas pendant peu peut plus pour pourquoi qu quand que quel quelle quels qui s sa sans se ses si son \
    sont sous sur t ta te tes toi ton tous tout toute toutes tres tu un une vos votre vous y";

/// Italian.
pub(super) const ITALIAN: &str = "a ad ai al alla alle allo anche ancora avere aveva c che chi ci come con cosa cui da dai dal dalla \
    dalle degli dei del dell della delle dello di dopo dove e ed era erano essere gli ha hai hanno ho i \
    il in io l la le lei lo loro lui ma me mi mia mie miei mio molto ne negli nei nel nella nelle noi \
    non nostra nostro o ogni per perche piu poi prima qual quale quando quanto quella quelle quelli \
    quello questa queste questi questo qui se sei si sia siamo sono sopra sta su sua sue sul sulla suo \
    te ti tra tu tua tuo tutta tutti tutto un una uno vi voi";

/// Dutch.
pub(super) const DUTCH: &str = "aan al alle als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er \
    geen had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jou jouw kan kon \
    maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons onze ook op over \
    te tegen toch toen tot uit uw van veel voor waar wanneer waren was wat we wel werd wie wij wil wordt \
    worden zal ze zich zij zijn zo zonder zou";

/// Portuguese.
pub(super) const PORTUGUESE: &str = "a ao aos aquela aquele aqui as ate com como da das de dela dele depois do dos e ela elas ele eles em \
    entre era eram essa esse esta estao estar estava este estou eu foi foram ha isso isto ja lhe mais \
    mas me mesmo meu meus minha minhas muito na nas nao nem no nos nossa nosso num numa o onde os ou \
    para pela pelo pelos por porque qual quando que quem sao se seja sem ser seu seus sim so sobre sou \
    sua suas tambem te tem tenho ter tinha toda todo todos tu tua um uma umas uns voce voces";

/// Swedish.
pub(super) const SWEDISH: &str = "alla allt att av bara blev blir da dar de dem den denna det detta dig din ditt du efter eller en er \
    ett fran for ha hade han hans har henne hennes hon honom hur i in ingen inte jag kan kunde man med \
    mellan men mig min mina mitt mot mycket nagon nagot nar ni nu och om oss pa sa sig sin sina sitt ska \
    skulle som till under upp ut utan vad var vara varit vem vi vid vilken vilket";

/// Russian.
pub(super) const RUSSIAN: &str = "а без бы был была были было быть в вам вас во вот все всегда вы где да даже для до его ее если есть \
    еще же за здесь и из или им их к как какая какой когда кто ли меня мне мной мои мой моя моё моего \
    моей моих можно мы на надо нас наш не него нее ней нет ни них но ну о об он она они оно от по под \
    после потом потому почему при про с свою себя со так такой там тебя тем теперь то тоже только том \
    тот ты у уже чем через что чтобы эта эти это этого этой этом этот эту я";

/// Such words that names are made of, too: they tell little of the language.
pub(super) const NAMES: &str =
    "al ben da dan das de del della der des di do dos du el hans la las le los mia no san te van von";

/// Such words that are English words, too, and tell nothing of the language.
pub(super) const ENGLISH_TOO: &str = "am an as come dies dig din door dove era fin hat hem her hey hun kan men met mot par per plus pour \
    sea ser sin son sous sole sou tan tem ten till ton tot tout var war wet wie will";
