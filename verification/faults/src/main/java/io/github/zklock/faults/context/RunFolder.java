package io.github.zklock.faults.context;

import io.github.zklock.faults.check.Violation;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.picture.Picture;
import io.github.zklock.faults.timeline.Timeline;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The folder of a scenario run: its events, the logs of all processes, and a page that shows the timeline. */
final class RunFolder {

    private static final String EVENTS = "events.log";
    private static final String FAILURE = "failure.txt";
    private static final String PICTURE = "picture.html";

    private final Path folder;

    private RunFolder(Path folder) {
        this.folder = folder;
    }

    /** Creates the folder, or empties it. */
    static RunFolder in(Path folder) {
        Ensemble.deleteRecursively(folder);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RunFolder(folder);
    }

    void write(Timeline timeline, List<Violation> violations, List<ServerProcess> servers) {
        try {
            timeline.write(folder.resolve(EVENTS));
            Picture.write(folder.resolve(PICTURE), folder.getFileName().toString(), timeline, violations);
            for (ServerProcess server : servers) {
                Files.copy(server.log(), folder.resolve(server.name() + ".log"), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        try {
            Files.writeString(folder.resolve(FAILURE), trace.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void discard() {
        Ensemble.deleteRecursively(folder);
    }
}
