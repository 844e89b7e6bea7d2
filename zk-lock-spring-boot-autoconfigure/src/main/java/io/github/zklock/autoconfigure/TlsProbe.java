package io.github.zklock.autoconfigure;

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
 * Why a server and this process do not agree on a TLS connection, as a handshake with the SSL bundle's stores tells:
 * ZooKeeper's client keeps that to its log.
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
     * @param fact the end of a sentence about the server
     */
    record Trouble(String fact, String remedy) {}

    /**
     * Empty if the two agree, or the server does not answer.
     *
     * @param connected to the server; is closed
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
            // a server that refuses the certificate of a client may say so after the handshake only
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
                    "Name the servers in zk.lock.connect-string as their certificates do, or give them certificates"
                            + " for the host names in the connect string.");
        }
        if (message.contains("fatal alert") && message.contains("certificate")) {
            return new Trouble(
                    "rejects the certificate of this application, or requires one (" + inOneLine(refused) + ")",
                    "Set a key that the servers trust in " + BUNDLE + ", or have the servers trust its certificate.");
        }
        return find(refused, EOFException.class) == null
                ? new Trouble(
                        "does not agree on a TLS connection (" + inOneLine(refused) + ")",
                        "Compare the protocols and ciphers of " + BUNDLE + " with the servers', and look whether"
                                + " zk.lock.connect-string names the port for TLS (secureClientPort).")
                : endedWithoutReason();
    }

    private static Trouble endedWithoutReason() {
        return new Trouble(
                "ends TLS connections without a reason (it may not speak TLS at this port)",
                "Name the port for TLS (secureClientPort) in zk.lock.connect-string, or remove zk.lock.ssl.bundle.");
    }

    private static @Nullable Throwable find(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return cause;
            }
        }
        return null;
    }

    /** What the other side has sent may be in it. */
    private static String inOneLine(Throwable failure) {
        return UNPRINTABLE.matcher(String.valueOf(failure.getMessage())).replaceAll(" ");
    }
}
