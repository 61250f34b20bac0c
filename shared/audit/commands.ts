import type { LocalisedText } from '#shared/schema/component.ts';

/** Titles of the commands that the audit log records, by their names. */
export const commandTitles = {
  install: { zh_CN: '安装服务', en: 'Install the service' },
  migrate: { zh_CN: '迁移数据', en: 'Migrate data' },
  seed: { zh_CN: '写入初始数据', en: 'Add initial data' },
  'module:install': { zh_CN: '安装模块', en: 'Install a module' },
  'module:uninstall': { zh_CN: '卸载模块', en: 'Uninstall a module' },
  'dict:import': { zh_CN: '导入字典', en: 'Import a dictionary' },
  'storage:migrate': { zh_CN: '迁移文件到其他存储', en: 'Move files to another storage' },
  'storage:verify': { zh_CN: '删除没有记录的文件', en: 'Delete objects without a record' },
  demo: { zh_CN: '新增或移除示例数据', en: 'Add or remove example data' },
  'admin:unlock': { zh_CN: '移除管理员的两步验证', en: 'Remove the second factor of an administrator' },
  'config:set': { zh_CN: '保存设置', en: 'Save settings' },
  'config:apply': { zh_CN: '应用配置文件', en: 'Apply a configuration file' },
  'job:run': { zh_CN: '运行任务', en: 'Run a job' },
} as const satisfies Record<string, LocalisedText>;

/** A command that is recorded. */
export type CommandName = keyof typeof commandTitles;

/** The action of a command's entries. */
export const toCommandAction = (name: string): string => `cli/${name}`;
