package io.github.zklock.autoconfigure;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/** Keys with certificates that they signed themselves, made by the JDK's own tool. */
final class Certificates {

    static final String PASSWORD = "wonderland";

    private final Path folder;

    Certificates(Path folder) {
        this.folder = folder;
    }

    /** A store with a key of this name, for a server on this host. */
    Path key(String name, String host) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-dname",
                        "CN=" + name,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "2",
                        "-ext",
                        "SAN=dns:" + host,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(folder.resolve(name + ".log")));
        }
        return store;
    }

    /** A store that trusts the certificate of a key. */
    Path trusting(Path keyStore) throws Exception {
        KeyStore keys = load(keyStore);
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        String alias = keys.aliases().nextElement();
        trust.setCertificateEntry(alias, keys.getCertificate(alias));
        Path file = folder.resolve("trusting-" + keyStore.getFileName());
        try (OutputStream out = Files.newOutputStream(file)) {
            trust.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    /** The certificate of a key, as text. */
    Path pemCertificate(Path keyStore) throws Exception {
        KeyStore keys = load(keyStore);
        return pem(
                keyStore,
                "CERTIFICATE",
                keys.getCertificate(keys.aliases().nextElement()).getEncoded());
    }

    /** The key itself, as text. */
    Path pemKey(Path keyStore) throws Exception {
        KeyStore keys = load(keyStore);
        return pem(
                keyStore,
                "PRIVATE KEY",
                keys.getKey(keys.aliases().nextElement(), PASSWORD.toCharArray())
                        .getEncoded());
    }

    private Path pem(Path keyStore, String type, byte[] content) throws Exception {
        Path file = folder.resolve(keyStore.getFileName() + "." + type.charAt(0) + ".pem");
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    }

    private static KeyStore load(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
