import type { UploadType } from '#shared/config/upload.ts';
import { findRow } from '#shared/db/entity.ts';
import { deleteItem } from '#shared/db/items.ts';
import { type DemoRun, type DemoThing, daysBefore } from '#shared/module/demo.ts';
import { ReceivedFile } from '#shared/schema/received-file.ts';
import { openEngine } from '#shared/storage/engines.ts';
import addCategoryRoute from '../Admin/file/category/add.ts';
import { addFileCategory, deleteFileCategory } from '../files/categories.ts';
import { deleteFile } from '../files/manager/delete-files.ts';
import { files, type Uploader } from '../files/records/file-record.ts';
import { fileRoute, uploadForm } from '../files/uploads/upload-form.ts';
import { uploads } from '../files/uploads/upload-record.ts';
import { readUploadSettings } from '../files/uploads/upload-rules.ts';
import { findDemoAdmin } from './admins.ts';
import { createPdf, handbook, openingHours, priceList } from './documents.ts';
import { drawLandscape } from './picture.ts';
import { runRequest } from './request.ts';

/** A file to upload. */
interface DemoFile {
  /** With its extension; unique among the files of a module's demo. */
  name: string;
  type: UploadType;
  moment: Date;
  /** Called if the file is not there yet. */
  create(): Uint8Array;
  category?: string | null;
  /** Business module and tag. */
  module?: string;
  tag?: string;
  /** A user, whose uploads leave no audit entry. @default the editor of the demo */
  user?: string;
}

/**
 * Uploads a file to the local storage, once. The editor of the demo uploads it.
 *
 * @returns the stored path; empty if the file was deleted since
 */
export async function addDemoFile(run: DemoRun, file: DemoFile): Promise<string> {
  const { name, moment, user } = file;
  const editor = await findDemoAdmin(run, 'demo-editor');
  const { id } = await run.add('files', name, () => {
    const { type, create, category = null, module = '', tag = '' } = file;
    const input = { type, file: new ReceivedFile(name, create()), cid: category, module, tag };
    const store = async (uploader: Uploader) => {
      const settings = await readUploadSettings();
      const origin = { ...input, uploader, guestAddress: null };
      await uploadForm(origin, { ...settings, defaultEngine: 'local' });
    };
    if (user !== undefined) return run.at(moment, () => store({ kind: 'user', id: user }));
    const request = { run, admin: editor, moment, action: 'system/upload/file', route: fileRoute, input };
    return runRequest(request, () => store({ kind: 'admin', id: editor.id }));
  });
  return (await findRow(files, { id: String(id) }))?.uri ?? '';
}

/** Adds a category of files, once. The editor of the demo adds it. @returns its ID */
export async function addDemoCategory(
  run: DemoRun,
  { moment, ...input }: { name: string; type: UploadType; parent_id: string | null; moment: Date },
): Promise<string> {
  const admin = await findDemoAdmin(run, 'demo-editor');
  const action = 'system/file/category/add';
  const { id } = await run.add('file_categories', input.name, () =>
    runRequest({ run, admin, moment, action, route: addCategoryRoute, input }, () => addFileCategory(input)),
  );
  return String(id);
}

/** How the files of a demo are removed, with their stored bytes, and the categories. */
export const removeDemoFiles = {
  async files({ id }: DemoThing): Promise<void> {
    const ref = { id: String(id) };
    const file = await findRow(files, ref);
    if (file) return deleteFile(file, openEngine);
    // An interrupted run leaves an upload. The job that cleans up does not run locally.
    const upload = await findRow(uploads, ref);
    if (!upload) return;
    await (await openEngine(upload.file.engine)).delete(upload.file.key);
    await deleteItem(uploads.key(ref));
  },
  file_categories: ({ id }: DemoThing): Promise<void> => deleteFileCategory(String(id)),
};

const pictures = ['lobby', 'terrace', 'workshop', 'garden', '会议室', '展厅', '园区', '湖畔'];

/** Adds categories with pictures and documents. */
export async function addDemoFiles(run: DemoRun): Promise<void> {
  const moment = daysBefore(run, 40, 9.5);
  const top = await addDemoCategory(run, { name: '图库', type: 'image', parent_id: null, moment });
  const venues = await addDemoCategory(run, { name: '场地照片', type: 'image', parent_id: top, moment });
  const papers = await addDemoCategory(run, { name: '资料下载', type: 'file', parent_id: null, moment });
  for (const [index, name] of pictures.entries()) {
    await addDemoFile(run, {
      name: `${name}.png`,
      type: 'image',
      category: index % 3 === 0 ? top : venues,
      moment: daysBefore(run, 39 - index * 4, 10 + index / 3),
      create: () => drawLandscape(100 + index, 1200, 675),
    });
  }
  const documents = [
    { name: 'price-list.pdf', bytes: createPdf(priceList) },
    { name: 'handbook.pdf', bytes: createPdf(handbook) },
    { name: '开放时间.txt', bytes: Buffer.from(openingHours.zh_CN) },
    { name: 'opening-hours.txt', bytes: Buffer.from(openingHours.en) },
    {
      name: '常见问题.md',
      bytes: Buffer.from('# 常见问题\n\n## 如何预约？\n\n登录后选择日期和时段即可。\n'),
    },
    {
      name: 'questions.md',
      bytes: Buffer.from('# Questions\n\n## How do I book?\n\nLog in and choose a day.\n'),
    },
  ];
  for (const [index, { name, bytes }] of documents.entries()) {
    const moment = daysBefore(run, 36 - index * 5, 15 + index / 4);
    await addDemoFile(run, { name, type: 'file', category: papers, moment, create: () => bytes });
  }
}
