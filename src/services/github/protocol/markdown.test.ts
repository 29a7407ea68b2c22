import { describe, expect, it } from 'vitest';
import { htmlOf, textOfHtml } from './markdown.ts';

describe('Markdown', () => {
  it.each([
    ['Goodbye', '<p>Goodbye</p>'],
    ['one\r\ntwo\n\nthree', '<p>one<br>\ntwo</p>\n<p>three</p>'],
    ['## A `b` & <c>', '<h2>A <code>b</code> &amp; &lt;c&gt;</h2>'],
    ['a **bold** and _soft_ word', '<p>a <strong>bold</strong> and <em>soft</em> word</p>'],
    ['`**kwargs`', '<p><code>**kwargs</code></p>'],
    ['snake_case_name', '<p>snake_case_name</p>'],
    ['> quoted', '<blockquote>\n<p>quoted</p>\n</blockquote>'],
    ['---', '<hr>'],
    [
      'see https://a.example/x.',
      '<p>see <a rel="nofollow" href="https://a.example/x">https://a.example/x</a>.</p>',
    ],
    ['[a](https://github.com/b)', '<p><a href="https://github.com/b">a</a></p>'],
  ])('%j', (markdown, html) => {
    expect(htmlOf(markdown)).toBe(html);
  });

  it('renders lists in lists, and tasks', () => {
    const html = htmlOf('- a\n  - [x] b\n- c');
    expect(html).toContain('<li>a\n<ul>\n<li><input type="checkbox"');
    expect(html).toContain('checked=""> b</li>');
    expect(html.endsWith('<li>c</li>\n</ul>')).toBe(true);
  });

  it('renders code with what copies it', () => {
    const html = htmlOf('```\na < b\n```');
    expect(html).toContain('data-snippet-clipboard-copy-content="a &lt; b\n"');
    expect(html.endsWith('<pre><code>a &lt; b\n</code></pre></div>')).toBe(true);
  });

  it('gives the text without marks', () => {
    expect(textOfHtml(htmlOf('Left:\n- a & b\n- `c`'))).toBe('Left:\n\na & b\nc');
  });
});
