import { audit } from '#shared/audit/settings.ts';
import { defineModule } from '#shared/module/module.ts';
import { engineSettings } from '#shared/storage/engines.ts';
import { login } from './admins/settings.ts';
import { ai } from './assistant/settings.ts';
import { dictionaries } from './dictionaries.ts';
import { storage, upload } from './files/settings.ts';
import { basics } from './site/settings.ts';
import { sms } from './users/sms/settings.ts';
import { wechat } from './users/wechat/settings.ts';

export default defineModule({
  name: 'System',
  title: { zh_CN: '系统', en: 'System' },
  version: '0.1.0',
  isNeeded: true,
  adminFolders: {
    admin: { zh_CN: '管理员', en: 'Administrators', records: 'admin' },
    'admin/token': { zh_CN: 'API 令牌', en: 'API tokens' },
    audit: { zh_CN: '审计日志', en: 'Audit log' },
    ai: { zh_CN: 'AI 助手', en: 'Assistant' },
    'ai/mcp': { zh_CN: 'MCP 工具', en: 'MCP tools' },
    config: { zh_CN: '公共配置', en: 'Common data' },
    file: { zh_CN: '文件', en: 'Files', records: 'file' },
    'file/category': { zh_CN: '文件分类', en: 'File categories', records: 'file_category' },
    login: { zh_CN: '登录', en: 'Login' },
    oauth: { zh_CN: 'OAuth 连接', en: 'OAuth connections' },
    'oauth/client': { zh_CN: 'OAuth 客户端', en: 'OAuth clients', records: 'oauth_client' },
    overview: { zh_CN: '概览', en: 'Overview' },
    permission: { zh_CN: '权限', en: 'Permissions' },
    role: { zh_CN: '角色', en: 'Roles', records: 'role' },
    setting: { zh_CN: '设置', en: 'Settings' },
    'setting/config': { zh_CN: '系统设置', en: 'System settings', records: 'config' },
    'setting/dict': { zh_CN: '数据字典', en: 'Dictionaries' },
    'setting/dict/data': { zh_CN: '字典项', en: 'Dictionary items', records: 'dict' },
    'setting/dict/type': { zh_CN: '字典类型', en: 'Dictionary types', records: 'dict_type' },
    upload: { zh_CN: '上传', en: 'Uploads' },
  },
  roles: {
    editor: ['system/file:write', 'system/upload:write'],
    auditor: ['system:read', 'system/audit:read', 'tool:read'],
  },
  configs: [basics, storage, ...engineSettings, upload, login, sms, wechat, ai, audit],
  configTitles: {
    basics: { zh_CN: '站点', en: 'Site' },
    storage: { zh_CN: '文件存储', en: 'File storage' },
    qiniu: { zh_CN: '七牛云 Kodo', en: 'Qiniu Kodo' },
    aliyun: { zh_CN: '阿里云 OSS', en: 'Alibaba Cloud OSS' },
    qcloud: { zh_CN: '腾讯云 COS', en: 'Tencent Cloud COS' },
    upload: { zh_CN: '上传限制', en: 'Upload limits' },
    login: { zh_CN: '登录', en: 'Login' },
    sms: { zh_CN: '短信', en: 'SMS' },
    wechat: { zh_CN: '微信', en: 'WeChat' },
    ai: { zh_CN: 'AI 助手', en: 'Assistant' },
    audit: { zh_CN: '审计日志', en: 'Audit log' },
  },
  dictionaries,
});
