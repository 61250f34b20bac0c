// Examples in the API reference.

const adminId = '01JA4Q2M7Z3V8XK5T9R6W1C0BD';
const fileUrl = 'https://example.com/storage/uploads/image/20260131/1015308f2c4e6a0b1d3f5779.png';
const variantUrl = (size: string) => fileUrl.replace('/storage/', `/storage/variants/local/${size}/`);
const token = 'v1.kid.payload.signature';
const password = 'correct horse battery';
const account = { avatar: '', status: 'enabled' };

export const adminLogin = {
  body: { account: 'admin', password },
  data: {
    token,
    expires_at: '2026-02-07T10:15:30.000Z',
    admin: {
      id: adminId,
      account: 'admin',
      name: 'admin',
      ...account,
      super: true,
      role_ids: [],
      two_factor: false,
      has_password: true,
      last_login_at: '2026-01-31T10:15:30.000Z',
      last_login_ip: '203.0.113.7',
      created_at: '2026-01-01T08:00:00.000Z',
    },
  },
};

export const secondStep = { challenge: 'a2V5...', code: '287082' };

const roleId = '01JA4QD2F4G6H8J0K2M4N6P8Q0';
const grants = ['system/file:write', 'system/role:read'];

export const roleAdd = {
  body: { name: 'translators', remark: '', grants },
  data: {
    id: roleId,
    name: 'translators',
    remark: '',
    grants,
    version: 1,
    admin_count: 0,
    created_at: '2026-01-31T10:15:30.000Z',
    updated_at: '2026-01-31T10:15:30.000Z',
  },
};

export const adminRoles = {
  body: { id: adminId, role_ids: [roleId], super: false },
  data: {
    id: adminId,
    account: 'mei',
    name: 'Mei',
    ...account,
    super: false,
    role_ids: [roleId],
    two_factor: false,
    has_password: true,
    last_login_at: null,
    last_login_ip: null,
    created_at: '2026-01-01T08:00:00.000Z',
  },
};

export const userLogin = {
  body: { terminal: 3, scene: 'password', mobile: '13800138000', password },
  data: {
    token,
    expires_at: '2026-07-30T10:15:30.000Z',
    user: {
      id: '01JA4Q5T6YB2N8C3D7E1F0G9HJ',
      sn: '482915037',
      mobile: '138****8000',
      nickname: '用户482915037',
      ...account,
      created_at: '2026-01-15T09:30:00.000Z',
    },
    is_new: false,
  },
};

export const dictRead = {
  query: { type: 'source_channel,bank_kind' },
  data: {
    source_channel: [{ name: '搜索引擎', value: 'search' }],
    bank_kind: [
      { name: '工商银行', value: 'icbc' },
      { name: '农业银行', value: 'abc' },
    ],
  },
};

export const uploadForm = {
  body: { type: 'image' },
  data: {
    id: '01JA4QB7C8D9E0F1G2H3J4K5M6',
    cid: null,
    type: 'image',
    name: 'photo.png',
    uri: fileUrl,
    url: fileUrl,
    variants: {
      thumb: variantUrl('thumb'),
      small: variantUrl('small'),
      medium: variantUrl('medium'),
      large: variantUrl('large'),
      xlarge: variantUrl('xlarge'),
    },
    ext: 'png',
    mime: 'image/png',
    size: 48_213,
    visibility: 'public',
    module: '',
    tag: '',
    uploader: { kind: 'admin', id: adminId },
    created_at: '2026-01-31T10:15:30.000Z',
  },
};

export const uploadDirect = {
  body: { type: 'video', name: 'holiday.mp4', size: 20_971_520 },
  data: {
    ticket: 'kid.encrypted-ticket',
    method: 'POST',
    url: 'https://example.com/api/system/upload/part',
    headers: {},
    fields: { ticket: 'kid.encrypted-ticket' },
    file_field: 'file',
    part_size: 4_194_304,
    expires_at: '2026-01-31T11:15:30.000Z',
  },
};
