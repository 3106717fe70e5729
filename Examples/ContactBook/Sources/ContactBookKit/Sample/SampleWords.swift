/// The words that sample contacts are made of.
enum SampleWords {
    /// Names that go together.
    struct People {
        let first: [String]
        let last: [String]
    }

    static let people = [
        People(
            first: [
                "Ada", "Ben", "Clara", "Daniel", "Emma", "Felix", "Grace", "Henry", "Iris", "Jonas", "Kate", "Liam",
            ],
            last: ["Archer", "Brook", "Carver", "Dale", "Ellison", "Fletcher", "Grant", "Hale", "Irving", "O'Neill"]),
        People(
            first: ["José", "Zoë", "André", "Françoise", "Jürgen", "Åsa", "Łukasz", "Márta", "Núria", "Søren"],
            last: ["Peña", "Müller", "Lefèvre", "Ångström", "Nowak-Łęcki", "Szőke", "Jørgensen", "d'Été"]),
        // Accents as marks of their own.
        People(
            first: ["Rene\u{301}e", "Bjo\u{308}rn", "Tha\u{309}o"], last: ["Nguye\u{302}\u{303}n", "Strau\u{308}b"]),
        People(first: ["Анна", "Борис", "Ольга", "Юрий"], last: ["Лебедева", "Соколов", "Йовович", "Ёлкина"]),
        People(first: ["小明", "美玲", "建国", "さくら", "健太"], last: ["王", "李", "陈", "山田", "佐藤"]),
        People(first: ["지우", "서연", "민준"], last: ["김", "박", "이"]),
        People(first: ["ليلى", "عمر", "نور"], last: ["الحداد", "منصور", "خليل"]),
        People(first: ["Ελένη", "Νίκος"], last: ["Παπαδοπούλου", "Γεωργίου"]),
        People(first: ["प्रिया", "अर्जुन"], last: ["शर्मा", "वर्मा"]),
        People(first: ["Sam 🚀", "Kim 🌻", "Robin 👩‍🔬"], last: ["Star", "Meadow"]),
        People(first: ["Ann \"Nan\"", "William \"Bill\""], last: ["Ward, Jr.", "Young"]),
    ]

    static let companies = [
        "Blue Kettle Bakery", "Northwind & Daughters", "Acme, Inc.", "\"Quoted\" Press", "Café Lumière",
        "Вымпел", "青空書店", "Harbour Cycles", "Smith, Smith & Smith", "Paper Lantern Studio",
    ]

    static let domains = ["example.com", "example.org", "mail.example.com", "office.example.org", "example.net"]

    static let initials = ["A", "J", "M", "R", "T"]

    static let streets = ["Elm Street", "Rue du Port", "Lindenallee", "Market Square, Apt. 4"]

    static let notes = [
        "Met at the fair", "Prefers calls\nafter six", "Said: \"write, don't ring\"", "Allergic to nuts, loves figs",
        "Line one\r\nLine two\r\n\r\nLine four", "🎂 bring cake", "Key is under the mat,\n\"as always\"",
    ]
}
