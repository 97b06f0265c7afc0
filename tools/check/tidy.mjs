// Limits of form: sizes, left-over marks, and what may not stand in a public tree. A limit without a test is a wish.

const FILE_LINES_MAX = 350;
const LINE_LENGTH_MAX = 140;
const LEFT_OVER = /\b(?:TODO|FIXME|XXX|HACK)\b/;
const FOCUSED = /\b(?:it|test|describe)\.(?:skip|only|todo|fails)\b|\bretry:\s*[1-9]/;

/** Problems of one source or test file. */
export function checkTidy(file, text) {
  const problems = [];
  const lines = text.split('\n');
  const generated = file.includes('/generated/');
  if (!generated && file.startsWith('src/') && lines.length > FILE_LINES_MAX) {
    problems.push(`${file}: ${lines.length} lines; at most ${FILE_LINES_MAX}: split it by idea`);
  }
  if (!generated && /\.(?:ts|mjs)$/.test(file) && !/^\/\/|^#!|^\/\*/.test(text)) {
    problems.push(`${file}: does not begin by saying what it is`);
  }
  lines.forEach((line, index) => {
    const at = `${file}:${index + 1}`;
    if (!generated && line.length > LINE_LENGTH_MAX && !/https?:|['"`][0-9a-f]{60,}/.test(line)) {
      problems.push(`${at}: ${line.length} characters; at most ${LINE_LENGTH_MAX}`);
    }
    if (LEFT_OVER.test(line) && !file.startsWith('tools/check/')) problems.push(`${at}: left-over mark`);
    if (file.startsWith('test/') && FOCUSED.test(line) && !file.startsWith('test/tools/'))
      problems.push(`${at}: skipped, focused or retried test`);
  });
  return problems;
}
