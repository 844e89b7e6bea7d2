package io.github.zklock.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sends requests with exactly these headers, each on a connection of its own. No client of the JDK permits this. */
final class Browser {

    private final int port;
    private final Map<String, String> headers = new LinkedHashMap<>();

    Browser(int port) {
        this.port = port;
        headers.put("Host", "localhost:" + port);
        headers.put("Connection", "close");
    }

    /** Returns a browser that also sends this header, or replaces its value. */
    Browser with(String header, String value) {
        Browser other = new Browser(port);
        other.headers.putAll(headers);
        other.headers.put(header, value);
        return other;
    }

    Answer get(String path) {
        return send("GET", path);
    }

    Answer delete(String path) {
        return send("DELETE", path);
    }

    private Answer send(String method, String path) {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        head.append("\r\n");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            // in one write: a server that rejects the head closes the connection, and later data would reset it
            socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
            return Answer.parse(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record Answer(int status, String head, String body) {

        static Answer parse(String text) {
            int end = text.indexOf("\r\n\r\n");
            return new Answer(Integer.parseInt(text.substring(9, 12)), text.substring(0, end), text.substring(end + 4));
        }

        /** Returns the value of a header; empty if it is absent. */
        String header(String name) {
            return head.lines()
                    .filter(line -> line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
                    .map(line -> line.substring(name.length() + 2))
                    .findFirst()
                    .orElse("");
        }
    }
}
