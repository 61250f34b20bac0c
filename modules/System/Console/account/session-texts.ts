export const sessionTexts = {
  hint: {
    zh_CN: '这些设备目前已登录您的账号。发现不认识的设备时，请结束其会话并修改密码。',
    en: 'These devices are logged in to your account. If you do not know one, end its session and change your password.',
  },
  device: { zh_CN: '设备', en: 'Device' },
  unknown: { zh_CN: '未知设备', en: 'Unknown device' },
  seen: { zh_CN: '最近使用', en: 'Last seen' },
  since: { zh_CN: '登录时间', en: 'Since' },
  actions: { zh_CN: '操作', en: 'Actions' },
  current: { zh_CN: '当前', en: 'This one' },
  end: { zh_CN: '结束', en: 'End' },
  ask_end: {
    zh_CN: '结束“{name}”的会话？该设备须重新登录。',
    en: 'End the session of “{name}”? The device has to log in again.',
  },
  ended: { zh_CN: '已结束', en: 'The session has ended' },
  none: { zh_CN: '没有会话', en: 'There are no sessions' },
} as const;
