package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;

/** A command of the system that is over in a moment. */
final class SystemCommand {

    private SystemCommand() {}

    /** What it wrote; it must succeed. */
    static String run(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(
                        "'%s' ended with %d: %s".formatted(String.join(" ", words), code, output.strip()));
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("'" + String.join(" ", words) + "' was interrupted", e);
        }
    }
}
