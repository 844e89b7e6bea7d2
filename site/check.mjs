// Checks the built site: each page has a file and an entry in the search index, pages and styles load nothing from other
// servers, and the navigation lists each page of docs/. LinksTest in verification/documentation checks the links.
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

for (const [file, text] of html) {
  for (const [tag, link] of text.matchAll(/<[a-z]+ (?:[^<>]* )?(?:href|src)="([^"]*)"/g)) {
    if (/^([a-z]+:)?\/\//i.test(link) && !tag.startsWith('<a ')) problems.push(`${file}: loads ${link}`)
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
