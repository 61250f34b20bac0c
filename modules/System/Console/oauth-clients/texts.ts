export const texts = {
  hint: {
    zh_CN: '多数助手自带元数据文档，无需登记。没有元数据文档的客户端在这里登记，然后把编号填入客户端。',
    en: 'Most assistants publish a metadata document and need no entry here. Register a client without one, and give it the ID.',
  },
  end_title: {
    zh_CN: '断开使用元数据文档的客户端',
    en: 'Disconnect a client with a metadata document',
  },
  end_hint: {
    zh_CN: '输入客户端编号，即元数据文档的网址。所有管理员与它的连接都会断开；之后可以重新连接。',
    en: 'Enter its ID, the URL of the document. The connections of all administrators end; they may connect it again.',
  },
  end_all: { zh_CN: '断开全部连接', en: 'End all connections' },
  ask_end: {
    zh_CN: '断开“{id}”的全部连接？它将立即失去访问权限。',
    en: 'End all connections of "{id}"? It loses access at once.',
  },
  ended: { zh_CN: '已断开', en: 'All connections have ended' },
} as const;
