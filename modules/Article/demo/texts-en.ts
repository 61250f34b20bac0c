import type { DemoText } from './texts.ts';

export const englishTexts: readonly DemoText[] = [
  {
    title: 'Lakeside Park opens for spring',
    category: 'notice',
    summary: 'The park is open all day again from 1 March, and so is the path around the lake.',
    paragraphs: [
      'After a quiet winter, Lakeside Park is open all day again from 1 March. The path around the lake, the pier and the bird hides open with it.',
      'In the first week, holders of a year ticket may bring a guest for free. Show the ticket on your phone at the gate.',
    ],
  },
  {
    title: 'Five walks for a rainy day',
    category: 'guide',
    summary: 'Short routes under trees, each with a roof half way.',
    paragraphs: [
      'Rain brings out the smell of the pines and the colour of the moss. These five walks take between twenty minutes and an hour.',
      'Our favourite starts at the north gate, follows the stream, and ends at the tea house.',
    ],
  },
  {
    title: 'How to change a booking',
    category: 'help',
    summary: 'You can move a visit twice, free of charge, until the evening before.',
    paragraphs: [
      'Open “My orders”, choose the ticket and a new day. The old ticket becomes invalid at once.',
      'Group bookings are changed by phone. The number is on your confirmation.',
    ],
  },
  {
    title: 'New electric ferries',
    category: 'news',
    summary: 'Two quiet boats cross the lake every twenty minutes.',
    paragraphs: [
      'The boats were built in the town yard and carry forty people each. They make so little noise that the grebes have stopped diving when they pass.',
      'The last ferry leaves the west pier at 18:00.',
    ],
  },
  {
    title: 'Night walk with bats',
    category: 'event',
    summary: 'A guide, a detector and eight kinds of bats: every Friday in summer.',
    paragraphs: [
      'We meet at the boat house at dusk. You hear the bats through a detector that lowers their calls.',
      'Please wear dark clothes, and leave torches at home.',
    ],
  },
  {
    title: 'The woman who paints the lake',
    category: 'story',
    summary: 'For eleven years, Ms Tan has painted the same view every Sunday.',
    paragraphs: [
      'Her easel stands where the path bends. “People think it is the same picture,” she says. “It never is.”',
      'Fifty of the paintings hang in the hall by the lake until the end of the month.',
    ],
  },
  {
    title: 'Closed paths this week',
    category: 'notice',
    summary: 'The lower boardwalk is closed while the water is high.',
    paragraphs: [
      'Please follow the signs to the upper path. The detour takes ten minutes more.',
      'We expect to open the boardwalk again by the weekend.',
    ],
  },
  {
    title: 'A guide to the bird hides',
    category: 'guide',
    summary: 'What you see from each of the four hides, and when.',
    paragraphs: [
      'The east hide is best before eight, when the sun is behind you. Bring a long lens.',
      'In the reeds below the south hide, bitterns nest in most years. Stay quiet and wait.',
    ],
  },
  {
    title: 'Visitors in numbers',
    category: 'news',
    summary: 'More people came by bus than by car for the first time.',
    paragraphs: [
      'Last year 412,000 people visited the park, 6 % more than the year before. More than half came by bus or by bicycle.',
      'We will use the space of the second car park for a meadow.',
    ],
  },
  {
    title: 'Lost and found',
    category: 'help',
    summary: 'We keep what you lose for three months.',
    paragraphs: [
      'Ask at the visitor centre, or send us a message with a description and the day of your visit.',
      'Last month we returned 37 umbrellas, 12 phones and one violin.',
    ],
  },
  {
    title: 'Concert on the meadow',
    category: 'event',
    summary: 'Four bands play on Saturday evening. Bring a blanket.',
    paragraphs: [
      'The music begins at 17:30 and ends before 20:30, so that the birds have their evening too.',
      'There is room for 800 people. Entry is free with a ticket of the day.',
    ],
  },
  {
    title: 'What the old pier remembers',
    category: 'story',
    summary: 'Built for timber, used for weddings: a hundred years on thirty posts.',
    paragraphs: [
      'In 1924 the pier was built to load timber. The last log left in 1961, and for ten years only anglers came.',
      'Today three couples a week are photographed here.',
    ],
  },
  {
    title: 'Draft: prices of next year',
    category: 'notice',
    isDisabled: true,
    summary: 'Not published yet: the council decides in December.',
    paragraphs: [
      'Day tickets stay at 60. Month tickets become 20 cheaper.',
      'Year tickets include the ferry.',
    ],
  },
  {
    title: 'We plant 2,000 trees',
    category: 'news',
    summary: 'Help us on two Saturdays in November.',
    paragraphs: [
      'The trees are oaks, alders and bird cherries from seeds of the park. Spades and gloves are there.',
      'Each helper gets a number, and can visit the tree for the rest of its life.',
    ],
  },
  {
    title: 'The park with children',
    category: 'guide',
    summary: 'A day between the water playground, the goats and the smallest railway of the province.',
    paragraphs: [
      'Start at the water playground, which is warm enough from May on. Towels can be rented.',
      'After lunch, the railway leaves every half hour. The driver lets children ring the bell.',
    ],
  },
];
