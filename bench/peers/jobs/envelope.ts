/** What an answer looks like. */
export const envelope = <Data>(data: Data, requestId: string | undefined) => ({
  code: 'ok',
  message: '成功',
  data,
  request_id: requestId,
});
