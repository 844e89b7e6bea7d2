package io.github.zklock.benchmarks.report;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/** Where a JVM spent its time, by the samples of its flight recorder. Waiting threads are not sampled. */
public final class Profile {

    private static final String SAMPLE = "jdk.ExecutionSample";
    private static final String OURS = "io.github.zklock.";
    private static final int PERCENT = 100;

    private final List<String> places;

    private Profile(List<String> places) {
        this.places = places;
    }

    /** Reads a recording; it is empty if the JVM was killed before it had written the recording. */
    public static Profile read(Path recording) throws IOException {
        if (Files.size(recording) == 0) {
            return new Profile(List.of());
        }
        List<String> places = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
            if (event.getEventType().getName().equals(SAMPLE) && event.getStackTrace() != null) {
                places.add(place(event.getStackTrace().getFrames()));
            }
        }
        return new Profile(places);
    }

    /** Returns the most frequent methods, with their share of all samples. */
    public String text(int most) {
        Map<String, Long> counts = places.stream().collect(groupingBy(place -> place, counting()));
        List<String> lines = new ArrayList<>(List.of("seen at work %,d times".formatted(places.size())));
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.naturalOrder())))
                .limit(most)
                .forEach(count ->
                        lines.add(String.format(Locale.ROOT, "%5.1f %%  %s", share(count.getValue()), count.getKey())));
        return String.join("\n", lines);
    }

    private double share(long count) {
        return (double) PERCENT * count / places.size();
    }

    /** Returns the running method, and the method of this library that called it, if it is another one. */
    private static String place(List<RecordedFrame> frames) {
        String atWork = name(frames.get(0).getMethod());
        return frames.stream()
                .map(frame -> name(frame.getMethod()))
                .filter(name -> name.startsWith(OURS))
                .findFirst()
                .filter(ours -> !ours.equals(atWork))
                .map(ours -> atWork + " for " + ours)
                .orElse(atWork);
    }

    private static String name(RecordedMethod method) {
        return method.getType().getName() + "." + method.getName();
    }
}
