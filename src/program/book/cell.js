// Recomputes every check when a number of the table is edited. `words` says what each status is called.
const form = document.getElementById('model'), rows = document.getElementById('rows'), told = document.getElementById('told');
const numbers = [...form.querySelectorAll('input')], lasts = [...form.querySelectorAll('output')];
const key = (statement, compares) => statement + '\t' + compares;
const set = new Map([...rows.rows].map(row => [row.dataset.key, [...row.cells].slice(0, 2)]));
let before = new Map();

// What the program asks of a system (WASI): one text to read, one to write; the rest is not to be had (52).
async function call(module, text) {
  let input = new TextEncoder().encode(text), memory;
  const output = new TextDecoder(), parts = [], view = () => new DataView(memory.buffer);
  const each = (list, count, result, use) => {
    let total = 0;
    for (let at = list; at < list + 8 * count; at += 8) {
      total += use(new Uint8Array(memory.buffer, view().getUint32(at, true), view().getUint32(at + 4, true)));
    }
    view().setUint32(result, total, true);
    return 0;
  };
  const system = {
    fd_read: (_, list, count, result) => each(list, count, result, room => {
      const part = input.subarray(0, room.length);
      room.set(part);
      input = input.subarray(part.length);
      return part.length;
    }),
    fd_write: (_, list, count, result) => each(list, count, result, part => {
      parts.push(output.decode(part, { stream: true }));
      return part.length;
    }),
    environ_sizes_get: (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
    environ_get: () => 0,
    random_get: (at, length) => { new Uint8Array(memory.buffer, at, length).fill(0); return 0; },
    proc_exit: code => { throw new Error('the program ended with code ' + code); },
  };
  const imports = { wasi_snapshot_preview1: new Proxy(system, { get: (known, name) => known[name] ?? (() => 52) }) };
  const instance = await WebAssembly.instantiate(module, imports);
  memory = instance.exports.memory;
  instance.exports._start();
  return parts.join('') + output.decode();
}

// A long fraction is rounded for the eye, and whole behind it; an enclosure's end is a double.
function side(name, text) {
  const cell = document.createElement('td'), [p, q] = text.split('/');
  cell.dataset.exact = text;
  cell.dataset.name = name;
  if (/^-?\d+\.\d+(e-?\d+)?$/.test(text)) { cell.textContent = Number(text) === 0 ? '0' : '≈\u00a0' + Number(text).toFixed(10); return cell; }
  if (text.length <= 24 || !/^-?\d+(\/\d+)?$/.test(text)) { cell.textContent = text; return cell; }
  const whole = document.createElement('details'), rounded = document.createElement('summary');
  const value = Number(BigInt(p) * 10n ** 12n / BigInt(q ?? 1)) / 1e12;
  rounded.textContent = '≈\u00a0' + value.toFixed(10) + ' (' + p.replace('-', '').length + '/' + (q ?? '1').length + ' digits)';
  whole.append(rounded, text);
  cell.append(whole);
  return cell;
}

function row([statement, compares, lhs, rhs, residual, status]) {
  const line = document.createElement('tr'), name = key(statement, compares), cells = set.get(name);
  if (cells) line.append(...cells.map(cell => cell.cloneNode(true)));
  else for (const text of [statement, compares]) line.insertCell().textContent = text;
  line.append(side('left', lhs), side('right', rhs), side('residual', residual));
  const verdict = line.insertCell();
  verdict.textContent = words[status][0];
  verdict.className = words[status][1];
  line.dataset.key = name;
  line.dataset.status = status;
  return line;
}

async function recompute(module) {
  const started = performance.now(), model = form.dataset.shape + ' ' + numbers.map(input => input.value.trim().replace(/\s+/g, '_') || '?').join(' ');
  const lines = (await call(module, model)).trimEnd().split('\n').map(line => line.split('\t'));
  const [kind, ...last] = lines.shift();
  rows.parentElement.hidden = kind === 'error';
  told.className = kind === 'error' ? 'bad' : '';
  if (kind === 'error') { told.textContent = last[0]; return; }
  lasts.forEach((output, i) => { output.textContent = last[i]; });
  const made = lines.map(row), now = new Map(lines.map(line => [key(line[0], line[1]), line.join('\t')]));
  let changed = 0;
  for (const line of before.size ? made : []) {
    if (before.get(line.dataset.key) !== now.get(line.dataset.key)) { line.className = 'changed'; changed += 1; }
  }
  before = now;
  rows.replaceChildren(...made);
  const count = status => lines.filter(line => line[5] === status).length;
  told.textContent = `${lines.length} checks: ${count('holds')} hold, ${count('fails')} fail, ${count('erratum')} errata shown; ${changed} changed; `
    + `${Math.round(performance.now() - started)} ms`;
}

const bytes = Uint8Array.from(atob(document.getElementById('wasm').textContent), c => c.charCodeAt(0));
WebAssembly.compile(bytes).then(module => {
  // One after the other: the last edit is answered last.
  let turn = recompute(module);
  form.addEventListener('input', () => { turn = turn.then(() => recompute(module)); });
  form.addEventListener('reset', () => setTimeout(() => form.dispatchEvent(new Event('input'))));
});
form.addEventListener('submit', e => e.preventDefault());
