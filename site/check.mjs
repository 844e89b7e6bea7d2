// Checks the built site: each page has a file and an entry in the search index, each link within the site leads to a file
// and an anchor that exist, pages and styles load nothing from other servers, and the navigation lists each page of docs/.
import fs from 'node:fs'
import path from 'node:path'

const { SITE_OUT: out, SITE_BASE: base } = process.env
const problems = []
const list = folder => fs.readdirSync(folder, { recursive: true }).map(String)
const read = file => fs.readFileSync(path.join(out, file), 'utf8')

const pages = list('pages').filter(file => file.endsWith('.md')).map(file => file.replace(/md$/, 'html'))
const files = new Set(list(out))
const written = [...files].filter(file => file.endsWith('.html') && !file.startsWith('api/')) // the javadoc tool checks api/
const html = new Map(written.map(file => [file, read(file)]))
const ids = text => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(id => id[1]))
const anchors = new Map([...html].map(([file, text]) => [file, ids(text)]))

function problem(from, link) {
  const [file, hash] = link.split('#').map(decodeURIComponent)
  let there = from
  if (file) {
    there = path.normalize(file.startsWith('/') ? file.slice(base.length) : path.join(path.dirname(from), file))
    if (file.startsWith('/') && !file.startsWith(base)) return 'is outside of ' + base
    if (there === '.' || there.endsWith('/')) there = path.join(there, 'index.html')
  }
  if (!files.has(there)) return 'leads to no file'
  return !hash || !anchors.has(there) || anchors.get(there).has(hash) ? '' : 'leads to no heading'
}

for (const [file, text] of html) {
  for (const [tag, attribute, link] of text.matchAll(/<[a-z]+ (?:[^<>]* )?(href|src)="([^"]*)"/g)) {
    if (/^([a-z]+:)?\/\//i.test(link)) {
      if (!tag.startsWith('<a ')) problems.push(`${file}: loads ${link}`)
    } else if (!/^[a-z]+:/i.test(link)) {
      const wrong = problem(file, link)
      if (wrong) problems.push(`${file}: ${attribute} '${link}' ${wrong}`)
    }
  }
}
for (const file of [...files].filter(file => file.endsWith('.css'))) {
  if (/(url\(["']?|@import ["']?)(https?:)?\/\//.test(read(file))) problems.push(`${file}: loads from another server`)
}

const navigation = html.get('docs/index.html') ?? ''
const index = [...files].filter(file => /@localSearchIndex.*\.js$/.test(file)).map(read).join('')
for (const page of pages) {
  if (!html.has(page)) problems.push(`${page}: has no file`)
  const address = base + page.replace(/(^|\/)index\.html$/, '$1')
  if (page.startsWith('docs/') && page !== 'docs/index.html' && !navigation.includes(`href="${address}"`)) {
    problems.push(`${page}: is missing in docs/README.md`)
  }
  if (!index.includes(`"${address}#`)) problems.push(`${page}: is missing in the search index`)
}

for (const each of problems) console.error(each)
console.log(`${pages.length} pages, ${problems.length} problems`)
process.exitCode = problems.length ? 1 : 0
