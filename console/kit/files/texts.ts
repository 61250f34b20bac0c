import { localise } from '../../base/locale.ts';
import { type Category, type Place, pathOfCategory } from './categories.ts';

export const fileTexts = {
  all: { zh_CN: '全部文件', en: 'All files' },
  types: {
    image: { zh_CN: '图片', en: 'Pictures' },
    video: { zh_CN: '视频', en: 'Videos' },
    file: { zh_CN: '文档', en: 'Documents' },
  },
  categories: { zh_CN: '文件分类', en: 'File categories' },
  addCategory: { zh_CN: '新增分类', en: 'Add a category' },
  addBelow: { zh_CN: '新增下级分类', en: 'Add a category below' },
  renameCategory: { zh_CN: '重命名分类', en: 'Rename the category' },
  deleteCategory: { zh_CN: '删除分类', en: 'Delete the category' },
  confirmDeleteCategory: {
    zh_CN: '确定删除分类“{name}”吗？只能删除空分类。',
    en: 'Delete the category “{name}”? Only empty categories can be deleted.',
  },
  categoryName: { zh_CN: '分类名称', en: 'Name of the category' },
  nameRule: { zh_CN: '请输入 1 到 50 个字符', en: 'Enter 1 to 50 characters' },
  actionsOf: { zh_CN: '分类“{name}”的操作', en: 'Actions for the category “{name}”' },
  search: { zh_CN: '按名称搜索', en: 'Search by name' },
  upload: { zh_CN: '上传文件', en: 'Upload files' },
  dropHere: { zh_CN: '松开鼠标上传', en: 'Drop the files to upload them' },
  dropInto: { zh_CN: '上传到“{name}”', en: 'Into “{name}”' },
  private: { zh_CN: '私有', en: 'Private' },
  uploadPrivate: { zh_CN: '上传为私有文件', en: 'Upload as private' },
  empty: { zh_CN: '还没有文件。', en: 'No files yet.' },
  emptyHint: {
    zh_CN: '还没有文件。点击“上传文件”，或把文件拖到这里。',
    en: 'No files yet. Choose “Upload files”, or drag files here.',
  },
  nothingFound: { zh_CN: '没有找到文件。', en: 'No files found.' },
  more: { zh_CN: '加载更多', en: 'Load more' },
  searchMore: { zh_CN: '继续搜索更早的文件', en: 'Search older files' },
  select: { zh_CN: '选择 {name}', en: 'Select {name}' },
  open: { zh_CN: '查看 {name}', en: 'Show {name}' },
  pick: { zh_CN: '从文件库选择', en: 'Choose from the files' },
  choose: { zh_CN: '选择', en: 'Choose' },
  cancel: { zh_CN: '取消', en: 'Cancel' },
} as const;

/** What a place is called. */
export function describePlace(categories: readonly Category[], { cid, type }: Place): string {
  if (cid) return pathOfCategory(categories, cid);
  return localise(type ? fileTexts.types[type] : fileTexts.all);
}
