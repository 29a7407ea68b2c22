import { describe, expect, it } from 'vitest';
import { childEnvironment } from './environment.ts';

const authority = {
  bundle: '/t/bundle.pem',
  certificate: '/t/authority.pem',
  preload: '/t/preload.cjs',
  pythonPath: '/t/python',
};

function environment(base: Readonly<Record<string, string | undefined>>, preload = authority.preload) {
  return childEnvironment({
    base,
    proxyUrl: 'http://127.0.0.1:4100',
    authority: { ...authority, preload },
    tokens: { NOTES_TOKEN: 'notes_fake' },
  });
}

describe('the environment of a program', () => {
  it('keeps what was there, and leaves out what was not', () => {
    expect(environment({ PATH: '/bin', GONE: undefined })).toMatchObject({ PATH: '/bin' });
    expect(environment({ GONE: undefined })).not.toHaveProperty('GONE');
  });

  it("wins over the caller's own proxy, certificates and tokens: nothing real is used by mistake", () => {
    const real = {
      https_proxy: 'http://proxy.example:3128',
      NO_PROXY: 'api.notes.example',
      SSL_CERT_FILE: '/etc/real.pem',
      NOTES_TOKEN: 'a real one',
    };
    expect(environment(real)).toMatchObject({
      https_proxy: 'http://127.0.0.1:4100',
      HTTPS_PROXY: 'http://127.0.0.1:4100',
      http_proxy: 'http://127.0.0.1:4100',
      NO_PROXY: expect.not.stringContaining('notes'),
      no_proxy: expect.stringContaining('127.0.0.1'),
      SSL_CERT_FILE: '/t/bundle.pem',
      NOTES_TOKEN: 'notes_fake',
    });
  });

  it('names the certificates as Node, Python, curl, git, Go and pip look for them', () => {
    expect(environment({})).toMatchObject({
      NODE_EXTRA_CA_CERTS: '/t/authority.pem',
      SSL_CERT_FILE: '/t/bundle.pem',
      REQUESTS_CA_BUNDLE: '/t/bundle.pem',
      CURL_CA_BUNDLE: '/t/bundle.pem',
      GIT_SSL_CAINFO: '/t/bundle.pem',
      PIP_CERT: '/t/bundle.pem',
    });
  });

  it("puts its folder before the caller's own Python path", () => {
    expect(environment({ PYTHONPATH: 'mine' }).PYTHONPATH).toBe('/t/python:mine');
    expect(environment({}).PYTHONPATH).toBe('/t/python');
  });

  it("adds its preload to the caller's own Node options, spaces and all", () => {
    expect(environment({ NODE_OPTIONS: '--max-old-space-size=100' }).NODE_OPTIONS).toBe(
      '--max-old-space-size=100 --require /t/preload.cjs',
    );
    expect(environment({}, '/a b/preload.cjs').NODE_OPTIONS).toBe('--require "/a b/preload.cjs"');
  });
});
