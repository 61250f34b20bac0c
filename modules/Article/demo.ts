import {
  addDemoCategory,
  addDemoFile,
  drawLandscape,
  findDemoAdmin,
  removeDemoFiles,
  runRequest,
} from '#modules/System/public/demo.ts';
import { addDictItem, deleteDictItem } from '#shared/dict/items.ts';
import { type DemoRun, type DemoThing, daysBefore, defineDemo } from '#shared/module/demo.ts';
import addRoute from './Admin/article/add.ts';
import statusRoute from './Admin/article/status.ts';
import { deleteArticle } from './articles/delete-articles.ts';
import { categoryType } from './articles/dictionaries.ts';
import { addArticle, setArticleStatus } from './articles/write-articles.ts';
import { type DemoText, renderContent } from './demo/texts.ts';
import { englishTexts } from './demo/texts-en.ts';
import { chineseTexts } from './demo/texts-zh.ts';

const categories = [
  { value: 'guide', name: '游玩攻略' },
  { value: 'event', name: '活动预告' },
  { value: 'story', name: '人物故事' },
];

/** Both languages by turns. */
const texts = chineseTexts.flatMap((text, index) => [text, ...englishTexts.slice(index, index + 1)]);

async function addCategories(run: DemoRun): Promise<void> {
  for (const category of categories) {
    await run.add('article_categories', category.value, () =>
      run.at(daysBefore(run, 42, 10), () => addDictItem({ type_key: categoryType, ...category })),
    );
  }
}

/** Adds an article with a cover and a picture in its content. The editor of the demo writes it. */
async function addDemoArticle(run: DemoRun, text: DemoText, index: number, pictures: string): Promise<void> {
  const admin = await findDemoAdmin(run, 'demo-editor');
  const daysAgo = 38 - Math.floor((index * 37) / texts.length);
  const upload = (name: string, seed: number) =>
    addDemoFile(run, {
      name,
      type: 'image',
      category: pictures,
      module: 'article',
      moment: daysBefore(run, daysAgo, 9.8 + (index % 4)),
      create: () => drawLandscape(seed),
    });
  const number = String(index + 1).padStart(2, '0');
  const cover = await upload(`cover-${number}.png`, index + 1);
  const picture = await upload(`picture-${number}.png`, index + 51);
  const { title, category, summary, isDisabled = false } = text;
  const input = { title, category, cover, summary, content: renderContent(text, picture) };
  const request = { run, admin, moment: daysBefore(run, daysAgo, 10.1 + (index % 4)), input };
  const { id, isNew } = await run.add('articles', number, () =>
    runRequest({ ...request, action: 'article/article/add', route: addRoute }, () => addArticle(input)),
  );
  if (!isNew || !isDisabled) return;
  const change = { id: String(id), status: 'disabled' } as const;
  await runRequest({ ...request, action: 'article/article/status', route: statusRoute, input: change }, () =>
    setArticleStatus(change.id, change.status),
  );
}

export default defineDemo({
  async fill(run) {
    await addCategories(run);
    const moment = daysBefore(run, 41, 9.5);
    const pictures = await addDemoCategory(run, { name: '文章配图', type: 'image', parent_id: null, moment });
    for (const [index, text] of texts.entries()) await addDemoArticle(run, text, index, pictures);
  },
  remove: {
    articles: ({ id }: DemoThing) => deleteArticle(String(id)),
    article_categories: ({ name }: DemoThing) => deleteDictItem(categoryType, name, false),
    ...removeDemoFiles,
  },
});
