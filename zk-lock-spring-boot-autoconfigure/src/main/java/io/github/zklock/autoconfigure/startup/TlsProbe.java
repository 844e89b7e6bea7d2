package io.github.zklock.autoconfigure.startup;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * Finds out why a TLS connection to a server fails, by a handshake with the stores of the SSL bundle. ZooKeeper's
 * client only logs the reason.
 */
final class TlsProbe {

    private static final String BUNDLE = "the SSL bundle that zk.lock.ssl.bundle names";
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

    private final SslBundle bundle;

    TlsProbe(SslBundle bundle) {
        this.bundle = bundle;
    }

    /**
     * What is wrong, and what to do about it.
     *
     * @param fact the predicate of a sentence about the server
     */
    record Trouble(String fact, String remedy) {}

    /**
     * Returns the problem; empty if the handshake succeeds or the server does not answer.
     *
     * @param connected a connection to the server, which this method closes
     */
    Optional<Trouble> look(Socket connected, InetSocketAddress server, int millis) throws IOException {
        try (SSLSocket socket = (SSLSocket) bundle.createSslContext()
                .getSocketFactory()
                .createSocket(connected, server.getHostString(), server.getPort(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            String[] protocols = bundle.getOptions().getEnabledProtocols();
            if (protocols != null) {
                parameters.setProtocols(protocols);
            }
            String[] ciphers = bundle.getOptions().getCiphers();
            if (ciphers != null) {
                parameters.setCipherSuites(ciphers);
            }
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(millis);
            socket.startHandshake();
            // a server may reject the client's certificate only after the handshake
            return socket.getInputStream().read() < 0 ? Optional.of(endedWithoutReason()) : Optional.empty();
        } catch (SocketTimeoutException silent) {
            return Optional.empty();
        } catch (SSLException refused) {
            return Optional.of(troubleOf(refused, server.getHostString()));
        }
    }

    private static Trouble troubleOf(SSLException refused, String host) {
        String message = String.valueOf(refused.getMessage());
        if (find(refused, CertificateExpiredException.class) instanceof Exception expired) {
            return new Trouble(
                    "shows a certificate that has expired (" + inOneLine(expired) + ")",
                    "Renew the certificate of the server, or of the authority that signed it.");
        }
        if (find(refused, CertificateNotYetValidException.class) instanceof Exception early) {
            return new Trouble(
                    "shows a certificate that is not valid yet (" + inOneLine(early) + ")",
                    "Compare the clocks of this machine and of the machine that issued the certificate.");
        }
        if (find(refused, CertPathBuilderException.class) instanceof Exception untrusted) {
            return new Trouble(
                    "shows a certificate that the trust store of zk.lock.ssl.bundle does not trust ("
                            + inOneLine(untrusted) + ")",
                    "Add the certificate of the authority that signed the server's to the trust store of " + BUNDLE
                            + ".");
        }
        if (find(refused, CertificateException.class) instanceof Exception misnamed) {
            return new Trouble(
                    "shows a certificate that is not for the host " + host + " (" + inOneLine(misnamed) + ")",
                    "Use the host names of the certificates in zk.lock.connect-string, or give the servers"
                            + " certificates for the host names in the connect string.");
        }
        if (message.contains("fatal alert") && message.contains("certificate")) {
            return new Trouble(
                    "rejects the certificate of this application, or requires one (" + inOneLine(refused) + ")",
                    "Set a key that the servers trust in " + BUNDLE + ", or have the servers trust its certificate.");
        }
        return find(refused, EOFException.class) == null
                ? new Trouble(
                        "fails the TLS handshake (" + inOneLine(refused) + ")",
                        "Compare the protocols and ciphers of " + BUNDLE
                                + " with those of the servers, and check whether"
                                + " zk.lock.connect-string names the port for TLS (secureClientPort).")
                : endedWithoutReason();
    }

    private static Trouble endedWithoutReason() {
        return new Trouble(
                "closes TLS connections without a reason (this port may not use TLS)",
                "Use the port for TLS (secureClientPort) in zk.lock.connect-string, or remove zk.lock.ssl.bundle.");
    }

    private static @Nullable Throwable find(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return cause;
            }
        }
        return null;
    }

    /** Returns the message without control characters: it may contain text from the server. */
    private static String inOneLine(Throwable failure) {
        return UNPRINTABLE.matcher(String.valueOf(failure.getMessage())).replaceAll(" ");
    }
}
