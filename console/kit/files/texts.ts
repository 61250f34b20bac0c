import { locale } from '../../base/locale.ts';
import { type Category, type Place, pathOfCategory } from './categories.ts';

const zh_CN = {
  all: '全部文件',
  types: { image: '图片', video: '视频', file: '文档' },
  categories: '文件分类',
  addCategory: '新增分类',
  addBelow: '新增下级分类',
  renameCategory: '重命名分类',
  deleteCategory: '删除分类',
  confirmDeleteCategory: (name: string) => `确定删除分类“${name}”吗？只能删除空分类。`,
  categoryName: '分类名称',
  nameRule: '请输入 1 到 50 个字符',
  actionsOf: (name: string) => `分类“${name}”的操作`,
  search: '按名称搜索',
  upload: '上传文件',
  dropHere: '松开鼠标上传',
  dropInto: (name: string) => `上传到“${name}”`,
  empty: '还没有文件。',
  emptyHint: '还没有文件。点击“上传文件”，或把文件拖到这里。',
  nothingFound: '没有找到文件。',
  more: '加载更多',
  searchMore: '继续搜索更早的文件',
  select: (name: string) => `选择 ${name}`,
  open: (name: string) => `查看 ${name}`,
  pick: '从文件库选择',
  choose: '选择',
  cancel: '取消',
};

const en: typeof zh_CN = {
  all: 'All files',
  types: { image: 'Images', video: 'Videos', file: 'Documents' },
  categories: 'File categories',
  addCategory: 'Add a category',
  addBelow: 'Add a category below',
  renameCategory: 'Rename the category',
  deleteCategory: 'Delete the category',
  confirmDeleteCategory: (name) => `Delete the category “${name}”? Only empty categories can be deleted.`,
  categoryName: 'Name of the category',
  nameRule: 'Enter 1 to 50 characters',
  actionsOf: (name) => `Actions for the category “${name}”`,
  search: 'Search by name',
  upload: 'Upload files',
  dropHere: 'Drop the files to upload them',
  dropInto: (name) => `Into “${name}”`,
  empty: 'No files yet.',
  emptyHint: 'No files yet. Choose “Upload files”, or drag files here.',
  nothingFound: 'No files found.',
  more: 'Load more',
  searchMore: 'Search older files',
  select: (name) => `Select ${name}`,
  open: (name) => `Show ${name}`,
  pick: 'Choose from the files',
  choose: 'Choose',
  cancel: 'Cancel',
};

export const fileTexts = () => (locale.value === 'en' ? en : zh_CN);

/** What a place is called. */
export function describePlace(categories: readonly Category[], { cid, type }: Place): string {
  const { all, types } = fileTexts();
  if (cid) return pathOfCategory(categories, cid);
  return type ? types[type] : all;
}
