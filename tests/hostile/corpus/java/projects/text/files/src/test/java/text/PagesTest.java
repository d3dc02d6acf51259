package text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.junit.jupiter.api.Test;

class PagesTest {
    @Test
    void usesTheSlug() {
        Slug slug = mock(Slug.class);
        when(slug.of("About")).thenReturn("about");
        assertThat(new Pages(slug).add("About")).isEqualTo("/about");
    }

    @Test
    void numbersWhatIsThere() {
        Pages pages = new Pages(new Slug());
        pages.add("News");
        assertThat(pages.add("News")).isEqualTo("/news-2");
        assertThat(pages.known()).containsExactly("/news", "/news-2");
    }
}
