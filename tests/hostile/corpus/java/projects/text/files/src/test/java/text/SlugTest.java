package text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlugTest {
    @Test
    void joinsWords() {
        assertThat(new Slug().of("Hello, World!")).isEqualTo("hello-world");
    }
}
