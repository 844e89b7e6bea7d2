import fs from 'node:fs'
import path from 'node:path'

const { SITE_ROOT: root, SITE_OUT: out, SITE_BASE: base, SITE_SOURCES: sources, SITE_JAVADOC: javadoc } = process.env
const pages = path.resolve('pages')
const copied = new Set() // files and folders of the repository that pages link to and the site contains

const read = page => fs.readFileSync(path.join(pages, page), 'utf8')
const plain = markdown => markdown.replace(/[`*]/g, '')
const description = read('index.md').match(/^# .*\n\n([^.]+\.)/)[1].replace(/\s+/g, ' ')

// The anchors of headings as GitHub makes them, because the links in the documents follow it.
const slugify = heading =>
  heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replace(/ /g, '-')

// The sections and links of docs/README.md. An entry that is the README of a folder contains the other pages of the folder.
function sidebar() {
  return read('docs/index.md').split(/^## /m).slice(1).map(section => ({
    text: section.split('\n')[0],
    items: [...section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text, link]) => entry(plain(text), link))
  }))
}

function entry(text, link) {
  const page = path.join('docs', link.replace('README.md', 'index.md'))
  const folder = path.dirname(page)
  if (path.basename(page) !== 'index.md' || !folder.startsWith('docs/')) return { text, link: '/' + page }
  const items = fs.readdirSync(path.join(pages, folder)).filter(name => name !== 'index.md').sort().map(name => ({
    text: plain(read(path.join(folder, name)).match(/^# (.*)/m)[1]),
    link: '/' + path.join(folder, name)
  }))
  return { text, link: `/${folder}/`, collapsed: true, items }
}

// Links to other READMEs lead to their pages. Links to files that are no page lead to the sources.
function target(from, href) {
  if (/^([a-z]+:|#)/i.test(href)) return href
  const [file, hash] = href.split('#')
  const there = path.resolve(path.dirname(from), file)
  const readme = there.replace(/README\.md$/, 'index.md')
  if (there.endsWith('.md') && fs.existsSync(readme)) {
    return href.replace(/README\.md(?=#|$)/, 'index.md')
  }
  const source = path.relative(pages, there)
  if (!fs.existsSync(path.join(root, source))) return href // no such file: the build reports the dead link
  if (sources) return `${sources}/${source}${hash ? '#' + hash : ''}`
  copied.add(source)
  return `/sources/${source}.txt`
}

function copySources() {
  for (const source of copied) {
    const file = path.join(root, source)
    const copy = path.join(out, 'sources', source + '.txt')
    fs.mkdirSync(path.dirname(copy), { recursive: true })
    if (fs.statSync(file).isDirectory()) {
      fs.writeFileSync(copy, fs.readdirSync(file, { recursive: true }).sort().join('\n') + '\n')
    } else {
      fs.copyFileSync(file, copy)
    }
  }
}

export default {
  title: 'zk-lock',
  description,
  base,
  srcDir: pages,
  outDir: out,
  head: [['link', { rel: 'icon', href: base + 'icon.svg' }]],
  markdown: {
    anchor: { slugify },
    attrs: { disable: true },
    languageAlias: { gradle: 'groovy' },
    config: md => md.core.ruler.push('targets', state => {
      for (const token of state.tokens.flatMap(block => block.children ?? [])) {
        if (token.type === 'link_open') token.attrSet('href', target(state.env.path, token.attrGet('href')))
      }
    })
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changelog', link: '/CHANGELOG.md' },
      { text: 'Contributing', link: '/CONTRIBUTING.md' },
      ...(javadoc ? [{ text: 'Javadoc', link: '/api/index.html', target: '_self' }] : [])
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' }
  },
  buildEnd: copySources
}
