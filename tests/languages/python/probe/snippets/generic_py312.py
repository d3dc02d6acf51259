type Alias[T] = list[
    T]


def f[T: (
    int,  # evaluated only when asked for
    str)](x: T) -> Alias[T]:
    return [
        x]


class C[T]:
    def get(self) -> T:
        return f"{
            f'{1}'
        } {
            2 + 1
        }"


calls = [lambda: f(1), lambda: C[int]().get()]
