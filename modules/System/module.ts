import { audit } from '#shared/audit/settings.ts';
import { defineModule } from '#shared/module/module.ts';
import { engineSettings } from '#shared/storage/engines.ts';
import { login } from './admins/settings.ts';
import { ai } from './assistant/settings.ts';
import { dictionaries } from './dictionaries.ts';
import { storage, upload } from './files/settings.ts';
import { brand } from './site/brand.ts';
import { basics } from './site/settings.ts';
import { oidc } from './sso/settings.ts';
import { sms } from './users/sms/settings.ts';
import { wechat } from './users/wechat/settings.ts';

export default defineModule({
  name: 'System',
  title: { zh_CN: '系统', en: 'System' },
  version: '0.1.0',
  isNeeded: true,
  adminFolders: {
    admin: {
      zh_CN: '管理员',
      en: 'Administrators',
      records: 'admin',
      purpose: {
        zh_CN: '使用本控制台的人；角色决定各自能做什么。',
        en: 'The people who work in this console. Their roles say what each may do.',
      },
    },
    'admin/factor': { zh_CN: '两步验证', en: 'Second factor' },
    'admin/session': { zh_CN: '登录会话', en: 'Sessions' },
    'admin/sso': { zh_CN: '单点登录', en: 'Single sign-on' },
    'admin/token': {
      zh_CN: 'API 令牌',
      en: 'API tokens',
      purpose: {
        zh_CN: '供脚本以管理员身份调用接口。',
        en: 'Scripts call the API with them, in the name of an administrator.',
      },
    },
    audit: {
      zh_CN: '审计日志',
      en: 'Audit log',
      purpose: { zh_CN: '谁在何时做了什么。', en: 'Who did what, and when.' },
    },
    ai: { zh_CN: 'AI 助手', en: 'Assistant' },
    'ai/mcp': { zh_CN: 'MCP 工具', en: 'MCP tools' },
    config: { zh_CN: '公共配置', en: 'Common data' },
    file: {
      zh_CN: '文件',
      en: 'Files',
      records: 'file',
      purpose: {
        zh_CN: '上传的图片、视频和其他文件，供文章和设置使用。',
        en: 'Pictures, videos and other files that were uploaded, for use in articles and settings.',
      },
    },
    'file/category': {
      zh_CN: '文件分类',
      en: 'File categories',
      records: 'file_category',
      to: 'system/file?cid={}',
    },
    job: {
      zh_CN: '定时任务',
      en: 'Jobs',
      purpose: {
        zh_CN: '按计划自动运行的工作：上次结果、下次时间。',
        en: 'Work that runs by a schedule: what the last run did, and when the next is due.',
      },
    },
    login: { zh_CN: '登录', en: 'Login' },
    oauth: { zh_CN: 'OAuth 连接', en: 'OAuth connections' },
    'oauth/client': {
      zh_CN: 'OAuth 客户端',
      en: 'OAuth clients',
      records: 'oauth_client',
      purpose: {
        zh_CN: '获准连接本服务的 AI 客户端及其他程序；它们首次连接时会自行登记。',
        en: 'AI clients and other programs that connect to this service. They register themselves when they connect.',
      },
    },
    overview: { zh_CN: '概览', en: 'Overview' },
    permission: { zh_CN: '权限', en: 'Permissions' },
    role: {
      zh_CN: '角色',
      en: 'Roles',
      records: 'role',
      purpose: {
        zh_CN: '角色是一组权限，可授予多名管理员。',
        en: 'A role is a set of rights that several administrators can have.',
      },
    },
    setting: { zh_CN: '设置', en: 'Settings' },
    'setting/config': {
      zh_CN: '系统设置',
      en: 'System settings',
      records: 'config',
      to: 'system/setting/config?group={}',
    },
    'setting/dict': { zh_CN: '数据字典', en: 'Dictionaries' },
    'setting/dict/data': {
      zh_CN: '字典项',
      en: 'Dictionary items',
      records: 'dict',
      to: 'system/setting/dict/type?type_key={}',
    },
    'setting/dict/type': {
      zh_CN: '字典类型',
      en: 'Dictionary types',
      records: 'dict_type',
      to: 'system/setting/dict/type?type_key={}',
    },
    upload: { zh_CN: '上传', en: 'Uploads' },
    view: { zh_CN: '视图', en: 'Views' },
  },
  roles: {
    editor: ['system/file:write', 'system/upload:write'],
    auditor: ['system:read', 'system/audit:read', 'tool:read'],
  },
  configs: [basics, brand, storage, ...engineSettings, upload, login, oidc, sms, wechat, ai, audit],
  dictionaries,
});
