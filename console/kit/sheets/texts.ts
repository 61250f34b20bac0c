export const texts = {
  too_large: { zh_CN: '文件超过 {size}。', en: 'The file is larger than {size}.' },
  not_text: {
    zh_CN: '文件既不是 .xlsx，也不是 UTF-8 或 GBK 文本。',
    en: 'The file is neither .xlsx nor text in UTF-8 or GBK.',
  },
  locked: {
    zh_CN: '这是旧版（.xls）或有密码的 Excel 文件。请在 Excel 中另存为不带密码的 .xlsx 或 CSV。',
    en: 'This is an Excel file of an older kind (.xls) or with a password. Save it as .xlsx without a password, or as CSV.',
  },
  too_long: {
    zh_CN: '工作表超过 {max} 行（含空行）。',
    en: 'The sheet has more than {max} rows, with empty ones.',
  },
  workbook: { zh_CN: '.xlsx 无法读取：{message}', en: 'This .xlsx cannot be read: {message}' },
  csv: { zh_CN: 'CSV 无法解析：{message}', en: 'This is not CSV: {message}' },
} as const;
