package javax.annotation;

/**
 * What Java had up to version 8, for annotation processors that ask for it by its class.
 *
 * Those of JMH before 1.21 do, and write its name over what they generate. The compiler finds it in
 * the JDK's own list of what there was at that level.
 */
public @interface Generated {
    /** The names of the generators. */
    String[] value();

    /** When it was generated. */
    String date() default "";

    /** What else there is to say. */
    String comments() default "";
}
