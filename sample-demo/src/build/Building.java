/** Prints that {@code mvn spring-boot:run} is building the sample. Maven itself prints nothing with {@code -q}. */
final class Building {

    private Building() {}

    public static void main(String[] arguments) {
        System.out.println("Building the sample. On a clean clone this takes about a minute.");
    }
}
