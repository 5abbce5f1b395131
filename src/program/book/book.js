// Filter and search, links to what a filter hides or a fold holds, and the keys: / (search; Enter goes to what was found), j and k (next and
// previous statement, from the one that has the focus), e (open or close everything).
const find = document.getElementById('find'), kind = document.getElementById('kind'), count = document.getElementById('count');
const all = [...document.querySelectorAll('article')];
// A query of several words, or one with a number, is what print calls a thing, if anything has it so: "erratum 1" is not 13, "section 4" no formula's 4.
function found() {
  const words = find.value.toLowerCase().split(/\s+/).map(w => w.replace(/[.,;:]+$/, '')).filter(Boolean);
  const name = words.join(' ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const called = new RegExp('(^|[^a-z0-9.])' + name + '(?![0-9])');
  if (words.length > 1 && all.some(a => called.test(a.dataset.text))) return a => called.test(a.dataset.text);
  return a => words.every(w => a.dataset.text.includes(w));
}
function show() {
  const has = found(), every = find.value.trim() === '' && kind.value === '';
  for (const a of all) a.hidden = !(has(a) && (kind.value === '' || a.dataset.tags.split(' ').includes(kind.value)));
  const left = all.filter(a => !a.hidden).length;
  for (const part of document.querySelectorAll('main > section')) part.hidden = !every && !part.querySelector('article:not([hidden])');
  document.getElementById('front').hidden = !every;
  document.getElementById('none').hidden = left > 0;
  count.textContent = left + ' of ' + all.length + ' statements';
}
function search() { show(); scrollTo(0, 0); }
find.addEventListener('input', search); kind.addEventListener('change', search); show();
function open() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!place) return;
  if (place.closest('[hidden]')) { find.value = kind.value = ''; show(); }
  const fold = place.closest('details');
  if (fold) fold.open = true;
  place.scrollIntoView();
}
addEventListener('hashchange', open); open();
function go(article) { if (article) { article.scrollIntoView(); article.focus({ preventScroll: true }); } }
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const seen = all.filter(a => !a.hidden);
  if (e.target === find || e.target === kind) {
    if (e.key === 'Escape') e.target.blur();
    if (e.key === 'Enter' && e.target === find) go(seen[0]);
    return;
  }
  if (e.key === '/') { e.preventDefault(); find.focus(); }
  if (e.key === 'e') { const all = !document.querySelector('details[open]'); document.querySelectorAll('details').forEach(d => { d.open = all; }); }
  if (e.key === 'j' || e.key === 'k') {
    const at = seen.indexOf(document.activeElement.closest('article')), top = a => a.getBoundingClientRect().top;
    const below = seen.findIndex(a => top(a) > 0), next = at >= 0 ? at + 1 : below, last = at >= 0 ? at - 1 : (below < 0 ? seen.length : below) - 1;
    go(seen[e.key === 'j' ? next : last]);
  }
});
