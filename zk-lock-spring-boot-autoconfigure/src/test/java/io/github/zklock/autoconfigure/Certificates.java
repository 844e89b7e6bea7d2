package io.github.zklock.autoconfigure;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Keys with self-signed certificates, created with the JDK's keytool. */
public final class Certificates {

    public static final String PASSWORD = "wonderland";

    private final Path folder;

    public Certificates(Path folder) {
        this.folder = folder;
    }

    /** Creates a store with a key of this name, for a server on this host. */
    public Path key(String name, String host) throws Exception {
        Path store = folder.resolve(name + ".p12");
        keytool(
                name,
                store,
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-validity",
                "2",
                "-ext",
                "SAN=dns:" + host);
        return store;
    }

    /**
     * Creates a store with a key whose certificate is signed by an authority of this name. It is valid for two days
     * from this day.
     */
    public Path signedKey(String name, String host, String authority, String firstDay) throws Exception {
        Path store = folder.resolve(name + ".p12");
        keytool(
                name,
                store,
                "-genkeypair",
                "-alias",
                authority,
                "-dname",
                "CN=" + authority,
                "-startdate",
                "-99d",
                "-validity",
                "999",
                "-ext",
                "bc:c");
        keytool(
                name,
                store,
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-signer",
                authority,
                "-startdate",
                firstDay,
                "-validity",
                "2",
                "-ext",
                "SAN=dns:" + host);
        // the client must see only the signed certificate and its chain
        KeyStore keys = load(store);
        KeyStore signed = KeyStore.getInstance("PKCS12");
        signed.load(null, null);
        char[] password = PASSWORD.toCharArray();
        signed.setKeyEntry(name, keys.getKey(name, password), password, keys.getCertificateChain(name));
        store(signed, store);
        return store;
    }

    private void keytool(String name, Path store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(
                0, Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(
                // as for the tests: each process is over soon
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(folder.resolve(name + ".log")));
        }
    }

    /** Creates a store that trusts the certificates of keys, or the authorities that signed them. */
    public Path trusting(Path... keyStores) throws Exception {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        StringBuilder name = new StringBuilder("trusting");
        for (Path keyStore : keyStores) {
            KeyStore keys = load(keyStore);
            String alias = keys.aliases().nextElement();
            Certificate[] chain = keys.getCertificateChain(alias);
            trust.setCertificateEntry(alias, chain[chain.length - 1]);
            name.append('-').append(alias);
        }
        Path file = folder.resolve(name + ".p12");
        store(trust, file);
        return file;
    }

    /** Returns the certificate of a key as PEM text. */
    public Path pemCertificate(Path keyStore) throws Exception {
        KeyStore keys = load(keyStore);
        return pem(
                keyStore,
                "CERTIFICATE",
                keys.getCertificate(keys.aliases().nextElement()).getEncoded());
    }

    /** Returns the key as PEM text. */
    public Path pemKey(Path keyStore) throws Exception {
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

    private static void store(KeyStore store, Path file) throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    public static KeyStore load(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
