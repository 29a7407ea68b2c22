import { generateKeyPair, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { promisify } from 'node:util';
import type { pki } from 'node-forge';

type Forge = typeof import('node-forge');

interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

const SUBJECT = [{ name: 'commonName', value: 'Groundhog, for one run only' }];
const DAY_MS = 86_400_000;
const KEY_BITS = 2048;
/** Hosts whose certificates are kept; a program that asks for more gets new ones. */
const HOSTS_MOST = 1_000;

/** An authority that exists for one run: it signs a certificate for each host that a program asks for. */
export class CertificateAuthority {
  /** Its own certificate, PEM: what programs are to trust. */
  readonly certificate: string;
  readonly #forge: Forge;
  readonly #issuer: pki.Certificate;
  readonly #issuerKey: pki.PrivateKey;
  /** All hosts share one key: it lives as short as they do. */
  readonly #hostKey: KeyPair;
  readonly #contexts = new Map<string, SecureContext>();

  private constructor(forge: Forge, own: KeyPair, hostKey: KeyPair) {
    this.#forge = forge;
    this.#hostKey = hostKey;
    this.#issuerKey = forge.pki.privateKeyFromPem(own.privateKey);
    this.#issuer = this.#signed(own, SUBJECT, [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
    ]);
    this.certificate = forge.pki.certificateToPem(this.#issuer);
  }

  /** Draws its keys, which never leave this process's memory. */
  static async create(): Promise<CertificateAuthority> {
    const [{ default: forge }, own, hosts] = await Promise.all([import('node-forge'), keyPair(), keyPair()]);
    return new CertificateAuthority(forge, own, hosts);
  }

  /** What a TLS server needs to be taken for this host. */
  contextFor(host: string): SecureContext {
    const known = this.#contexts.get(host);
    if (known) return known;
    const context = createSecureContext(this.pairFor(host));
    if (this.#contexts.size >= HOSTS_MOST) this.#contexts.clear();
    this.#contexts.set(host, context);
    return context;
  }

  /** Key and certificate of a host, PEM. */
  pairFor(host: string): { readonly key: string; readonly cert: string } {
    const { pki } = this.#forge;
    const name = isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host };
    const issuer = this.#issuer.generateSubjectKeyIdentifier().getBytes();
    const certificate = this.#signed(
      this.#hostKey,
      [{ name: 'commonName', value: 'groundhog' }],
      [
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: [name] },
        { name: 'subjectKeyIdentifier' },
        { name: 'authorityKeyIdentifier', keyIdentifier: issuer },
      ],
    );
    return { key: this.#hostKey.privateKey, cert: pki.certificateToPem(certificate) };
  }

  #signed(
    { publicKey }: KeyPair,
    subject: pki.CertificateField[],
    extensions: readonly object[],
  ): pki.Certificate {
    const { pki, md } = this.#forge;
    const certificate = pki.createCertificate();
    certificate.publicKey = pki.publicKeyFromPem(publicKey);
    // The first byte keeps the number positive and its form the shortest, the only one that OpenSSL takes:
    // one drawn number in some hundreds begins with zeros.
    certificate.serialNumber = `01${randomBytes(16).toString('hex')}`;
    certificate.validity.notBefore = new Date(Date.now() - DAY_MS);
    certificate.validity.notAfter = new Date(Date.now() + 30 * DAY_MS);
    certificate.setSubject(subject);
    certificate.setIssuer(SUBJECT);
    certificate.setExtensions([...extensions]);
    certificate.sign(this.#issuerKey as Parameters<pki.Certificate['sign']>[0], md.sha256.create());
    return certificate;
  }
}

const generate = promisify(generateKeyPair);

async function keyPair(): Promise<KeyPair> {
  return await generate('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
