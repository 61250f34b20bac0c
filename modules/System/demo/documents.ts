/** The text of a document: a heading, and lines below it. */
interface PlainDocument {
  heading: string;
  lines: readonly string[];
}

export const priceList: PlainDocument = {
  heading: 'Price list',
  lines: [
    'Day ticket            60',
    'Month ticket         480',
    'Year ticket        4,200',
    '',
    'Prices in yuan.',
  ],
};

export const handbook: PlainDocument = {
  heading: 'Handbook for guides',
  lines: ['1. Be there ten minutes early.', '2. Count the guests.', '3. Close the gates at 18:00.'],
};

export const openingHours = {
  zh_CN: '开放时间\n\n周一至周五 9:00 – 18:00\n周末 10:00 – 20:00\n',
  en: 'Opening hours\n\nMonday to Friday 9:00 – 18:00\nWeekend 10:00 – 20:00\n',
};

/** Writes a PDF of one page (ISO 32000-1), in ASCII. */
export function createPdf({ heading, lines }: PlainDocument): Buffer {
  const quote = (text: string) => text.replace(/[\\()]/g, '\\$&');
  const body = lines.map((line) => `T* (${quote(line)}) Tj`).join('\n');
  const content = `BT /F1 24 Tf 72 740 Td (${quote(heading)}) Tj /F1 12 Tf 20 TL T*\n${body}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, 'latin1');
}
