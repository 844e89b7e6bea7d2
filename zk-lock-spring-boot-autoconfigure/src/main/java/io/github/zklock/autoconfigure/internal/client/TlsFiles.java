package io.github.zklock.autoconfigure.internal.client;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.StringUtils;

/**
 * The stores of an SSL bundle as files, because ZooKeeper's client reads stores only from files, again for each
 * connection. Only the user of this process can read the folder. The files have a random password that is stored in no
 * other place.
 *
 * <p>Not guaranteed: that the files are deleted if the process is killed.
 */
public final class TlsFiles {

    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
    private static final int PASSWORD_BYTES = 32;
    private static final String TYPE = "PKCS12";

    private final Path folder;
    private final String password = randomPassword();
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private boolean deleted;

    private TlsFiles(Path folder) {
        this.folder = folder;
    }

    /** Writes the stores and sets their paths in the configuration. */
    public static TlsFiles export(SslBundle bundle, ZKClientConfig config) {
        try {
            TlsFiles files = new TlsFiles(newFolder());
            try {
                files.describe(bundle, config);
                return files;
            } catch (IOException | GeneralSecurityException | RuntimeException failed) {
                files.delete();
                throw failed;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The stores of the SSL bundle for ZooKeeper cannot be written to files", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The stores of the SSL bundle for ZooKeeper cannot be read", e);
        }
    }

    /** Writes the stores of a reloaded bundle. The next connection uses them. */
    public void replace(SslBundle bundle) {
        lock.lock();
        try {
            if (!deleted) {
                // both first: one that cannot be read leaves both files as they are
                KeyStore trusted = trusted(bundle);
                KeyStore keys = keys(bundle);
                replace("trust", trusted);
                replace("key", keys);
                LOG.info("The SSL bundle of ZooKeeper's client was reloaded; its next connection uses it");
            }
        } catch (IOException | GeneralSecurityException | RuntimeException failed) {
            LOG.warn(
                    "The stores of the reloaded SSL bundle cannot be written for ZooKeeper's client, which continues to"
                            + " use the previous stores; correct the bundle, or start the application again",
                    failed);
        } finally {
            lock.unlock();
        }
    }

    public void delete() {
        lock.lock();
        try {
            deleted = true;
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException kept) {
            LOG.warn(
                    "The folder {} with exported key stores cannot be deleted ({}); delete it",
                    folder,
                    kept.toString());
        } finally {
            lock.unlock();
        }
    }

    /** Deletes the files as {@link #delete} does, at the end of the JVM. */
    public void deleteOnExit() {
        folder.toFile().deleteOnExit();
        // the JVM deletes in reverse order of registration: the files before their folder
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> file.toFile().deleteOnExit());
        } catch (IOException kept) {
            LOG.warn("The files in {} may outlive this process ({}); delete them then", folder, kept.toString());
        }
    }

    private void describe(SslBundle bundle, ZKClientConfig config) throws IOException, GeneralSecurityException {
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        try (ClientX509Util names = new ClientX509Util()) {
            KeyStore keys = keys(bundle);
            config.setProperty(names.getSslKeystoreLocationProperty(), write("key", keys));
            config.setProperty(names.getSslKeystorePasswdProperty(), password);
            config.setProperty(names.getSslKeystoreTypeProperty(), TYPE);
            config.setProperty(names.getSslTruststoreLocationProperty(), write("trust", trusted(bundle)));
            config.setProperty(names.getSslTruststorePasswdProperty(), password);
            config.setProperty(names.getSslTruststoreTypeProperty(), TYPE);
            config.setProperty(names.getSslHostnameVerificationEnabledProperty(), "true");
            SslOptions options = bundle.getOptions();
            if (options.getEnabledProtocols() != null) {
                config.setProperty(
                        names.getSslEnabledProtocolsProperty(),
                        StringUtils.arrayToCommaDelimitedString(options.getEnabledProtocols()));
            }
            if (options.getCiphers() != null) {
                config.setProperty(
                        names.getCipherSuitesProperty(), StringUtils.arrayToCommaDelimitedString(options.getCiphers()));
            }
        }
    }

    private @Nullable KeyStore keys(SslBundle bundle) throws IOException, GeneralSecurityException {
        KeyStore source = bundle.getStores().getKeyStore();
        if (source == null) {
            return null;
        }
        bundle.getKey().assertContainsAlias(source);
        String wanted = bundle.getKey().getAlias();
        KeyStore copy = emptyStore();
        for (String alias : Collections.list(source.aliases())) {
            if (source.isKeyEntry(alias) && (wanted == null || wanted.equalsIgnoreCase(alias))) {
                Key key = source.getKey(alias, keyPassword(bundle));
                copy.setKeyEntry(alias, key, password.toCharArray(), source.getCertificateChain(alias));
            }
        }
        return copy;
    }

    private static char @Nullable [] keyPassword(SslBundle bundle) {
        String password = bundle.getKey().getPassword();
        if (password == null) {
            password = bundle.getStores().getKeyStorePassword();
        }
        return password == null ? null : password.toCharArray();
    }

    private @Nullable KeyStore trusted(SslBundle bundle) throws IOException, GeneralSecurityException {
        KeyStore source = bundle.getStores().getTrustStore();
        if (source == null) {
            return null;
        }
        KeyStore copy = emptyStore();
        for (String alias : Collections.list(source.aliases())) {
            Certificate certificate = source.getCertificate(alias);
            if (certificate != null) {
                copy.setCertificateEntry(alias, certificate);
            }
        }
        return copy;
    }

    /**
     * Returns the path of the file. If there is no store, returns an empty path, which prevents the use of the JVM's
     * default store.
     */
    private String write(String name, @Nullable KeyStore store) throws IOException, GeneralSecurityException {
        if (store == null) {
            return "";
        }
        Path file = Files.createFile(file(name), ownerOnly("rw-------"));
        fill(file, store);
        return file.toString();
    }

    /**
     * Replaces a file. The client's configuration is fixed at the export, so that a store can be neither added nor
     * removed.
     */
    private void replace(String name, @Nullable KeyStore store) throws IOException, GeneralSecurityException {
        Path file = file(name);
        if (store == null || !Files.exists(file)) {
            if (store != null || Files.exists(file)) {
                throw new IllegalStateException(
                        "the bundle has " + (store == null ? "no " : "now a ") + name + " store, unlike before");
            }
            return;
        }
        // atomic: a concurrent connection reads either the former store or the new one
        Path complete = Files.createTempFile(folder, name, ".p12", ownerOnly("rw-------"));
        fill(complete, store);
        Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private Path file(String name) {
        return folder.resolve(name + ".p12");
    }

    private void fill(Path file, KeyStore store) throws IOException, GeneralSecurityException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(TYPE);
        store.load(null, null);
        return store;
    }

    private static Path newFolder() throws IOException {
        return Files.createTempDirectory("zk-lock-tls", ownerOnly("rwx------"));
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        // on other systems, the folder of temporary files belongs to the user
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static String randomPassword() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
